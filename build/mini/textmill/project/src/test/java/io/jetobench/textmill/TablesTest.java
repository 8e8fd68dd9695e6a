package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

/** Tables as {@link CsvFormat} and {@link MarkdownTable} write them. */
public class TablesTest {

    private final CsvFormat csv = new CsvFormat();

    @Test
    public void quotesCsvFieldsOnlyWhereNeeded() {
        assertEquals(
                "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\n",
                csv.write(Arrays.asList(Arrays.asList("plain", "a,b", "say \"hi\"", "two\nlines"))));
        assertEquals("a,b;c\n", csv.write(Arrays.asList(Arrays.asList("a", "b;c"))));
        assertEquals("a,b;\"c;d\"\n", new CsvFormat(';').write(Arrays.asList(Arrays.asList("a,b", "c;d"))));
    }

    @Test
    public void readsCsvWithBothKindsOfLineBreak() {
        assertEquals("[[a, b], [c, ], [, d]]", read("a,b\r\nc,\n,d").toString());
        assertEquals("[[a, ]]", read("a,").toString());
        assertEquals("[[]]", read("\n").toString());
        assertEquals("[]", read("").toString());
    }

    @Test
    public void readsTheCsvItWrote() {
        List<List<String>> rows = Arrays.asList(
                Arrays.asList("", "a", "a \"b\" c"),
                Arrays.asList("\"", "\r\n", ",", "\"\","),
                Arrays.asList(" "));

        assertEquals(rows, read(csv.write(rows)));
    }

    @Test
    public void saysWhereCsvIsWrong() {
        assertEquals("in:2:3: quoted field is not closed", problem("a\nb,\"c"));
        assertEquals("in:1:4: text after a quoted field", problem("\"a\"b"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesAQuoteAsSeparator() {
        new CsvFormat('"');
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesCsvRowsWithoutFields() {
        csv.write(Collections.singletonList(Collections.emptyList()));
    }

    @Test
    public void padsMarkdownColumns() {
        MarkdownTable table = new MarkdownTable()
                .column("part", Alignment.LEFT)
                .column("size", Alignment.CENTER)
                .column("n", Alignment.RIGHT)
                .row("bolt", "M", "120")
                .row("washer", "small", "7");

        assertEquals(
                "| part   | size  |   n |\n"
                        + "| ------ |:-----:| ---:|\n"
                        + "| bolt   |   M   | 120 |\n"
                        + "| washer | small |   7 |\n",
                table.render());
    }

    @Test
    public void escapesWhatWouldBreakMarkdown() {
        MarkdownTable table = new MarkdownTable().column("a|b", Alignment.LEFT).row("c\\d\ne");

        assertEquals("| a\\|b   |\n| ------ |\n| c\\\\d e |\n", table.render());
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesMarkdownRowsThatDoNotFit() {
        new MarkdownTable().column("a", Alignment.LEFT).row("1", "2");
    }

    @Test(expected = IllegalStateException.class)
    public void refusesMarkdownColumnsAfterRows() {
        new MarkdownTable().column("a", Alignment.LEFT).row("1").column("b", Alignment.LEFT);
    }

    private List<List<String>> read(String text) {
        return csv.read(SourceText.of("in", text));
    }

    private String problem(String text) {
        try {
            read(text);
        } catch (SyntaxException e) {
            return e.getMessage();
        }
        throw new AssertionError("nothing is wrong with " + text);
    }
}
