package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public class CsvFormatTest {

    private final CsvFormat csv = new CsvFormat();

    @Test
    public void quotesOnlyWhereNeeded() {
        assertEquals(
                "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\n",
                csv.write(Arrays.asList(Arrays.asList("plain", "a,b", "say \"hi\"", "two\nlines"))));
        assertEquals("a,b;c\n", csv.write(Arrays.asList(Arrays.asList("a", "b;c"))));
        assertEquals("a,b;\"c;d\"\n", new CsvFormat(';').write(Arrays.asList(Arrays.asList("a,b", "c;d"))));
    }

    @Test
    public void readsBothKindsOfLineBreak() {
        assertEquals("[[a, b], [c, ], [, d]]", read("a,b\r\nc,\n,d").toString());
        assertEquals("[[a, ]]", read("a,").toString());
        assertEquals("[[]]", read("\n").toString());
        assertEquals("[]", read("").toString());
    }

    @Test
    public void saysWhereTextIsWrong() {
        assertEquals(
                "in:2:3: quoted field is not closed",
                assertThrows(SyntaxException.class, () -> read("a\nb,\"c")).getMessage());
        assertEquals(
                "in:1:4: text after a quoted field",
                assertThrows(SyntaxException.class, () -> read("\"a\"b")).getMessage());
    }

    @Test
    public void refusesWhatCannotBeWritten() {
        assertThrows(IllegalArgumentException.class, () -> new CsvFormat('"'));
        assertThrows(IllegalArgumentException.class, () -> csv.write(Arrays.asList(new ArrayList<>())));
    }

    @Test
    public void readsWhatItWrote() {
        Random random = new Random(71);
        for (int round = 0; round < 160; round++) {
            List<List<String>> rows = new ArrayList<>();
            for (int i = random.nextInt(15); i >= 0; i--) {
                rows.add(randomRow(random));
            }
            assertEquals(rows, read(csv.write(rows)));
        }
    }

    private static List<String> randomRow(Random random) {
        List<String> row = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            StringBuilder field = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                field.append("abcdefgh, \"\n\r".charAt(random.nextInt(13)));
            }
            row.add(field.toString());
        }
        return row;
    }

    private List<List<String>> read(String text) {
        return csv.read(SourceText.of("in", text));
    }
}
