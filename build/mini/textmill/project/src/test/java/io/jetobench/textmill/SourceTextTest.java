package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.regex.Pattern;
import org.junit.Test;

public class SourceTextTest {

    private static final Pattern LINE_BREAK = Pattern.compile("[\r\n]");

    @Test
    public void countsLinesAndColumnsFromOne() {
        SourceText source = SourceText.of("notes.txt", "one\ntwo\r\nthree\rfour");

        assertEquals(new Position(1, 1), source.positionAt(0));
        assertEquals(new Position(2, 3), source.positionAt(6));
        assertEquals(new Position(3, 1), source.positionAt(9));
        assertEquals(new Position(4, 1), source.positionAt(15));
        assertEquals(new Position(4, 5), source.positionAt(source.length()));
    }

    @Test
    public void countsLineBreaksToTheLineTheyEnd() {
        SourceText source = SourceText.of("notes.txt", "a\r\nb");

        assertEquals(new Position(1, 2), source.positionAt(1));
        assertEquals(new Position(1, 3), source.positionAt(2));
        assertEquals(new Position(2, 1), source.positionAt(3));
    }

    @Test
    public void refusesOffsetsOutsideTheText() {
        SourceText source = SourceText.of("notes.txt", "abc");

        assertThrows(IndexOutOfBoundsException.class, () -> source.positionAt(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> source.positionAt(4));
    }

    @Test
    public void describesAndShowsAPlace() {
        SourceText source = SourceText.of("notes.txt", "first\n\tsecond line\nthird");

        assertEquals("notes.txt:2:9", source.describe(14));
        assertEquals("\tsecond line", source.lineAt(14));
        assertEquals("\tsecond line\n\t       ^", source.excerpt(14));
        assertEquals("third", source.lineAt(source.length()));
    }

    /** Every text of up to eight characters from a letter and both line break characters. */
    @Test
    public void agreesWithSplittingTheTextBeforeTheOffset() {
        checkAllTexts(new StringBuilder(), 8);
    }

    private static void checkAllTexts(StringBuilder text, int room) {
        checkAllOffsets(text.toString());
        if (room > 0) {
            for (char c : new char[] {'a', '\r', '\n'}) {
                checkAllTexts(text.append(c), room - 1);
                text.setLength(text.length() - 1);
            }
        }
    }

    private static void checkAllOffsets(String text) {
        SourceText source = SourceText.of("generated", text);
        String withSimpleBreaks = text.replace("\r\n", "_\n");
        for (int offset = 0; offset <= text.length(); offset++) {
            String[] lines = LINE_BREAK.split(withSimpleBreaks.substring(0, offset), -1);
            int column = lines[lines.length - 1].length() + 1;
            Position position = source.positionAt(offset);
            if (position.line() != lines.length || position.column() != column) {
                assertEquals(text + " at " + offset, new Position(lines.length, column), position);
            }
        }
    }
}
