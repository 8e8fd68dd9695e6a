package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SourceTextTest {

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

    @Test(expected = IndexOutOfBoundsException.class)
    public void refusesOffsetsBeforeTheText() {
        SourceText.of("notes.txt", "abc").positionAt(-1);
    }

    @Test(expected = IndexOutOfBoundsException.class)
    public void refusesOffsetsAfterTheText() {
        SourceText.of("notes.txt", "abc").positionAt(4);
    }

    @Test
    public void describesAndShowsAPlace() {
        SourceText source = SourceText.of("notes.txt", "first\n\tsecond line\nthird");

        assertEquals("notes.txt:2:9", source.describe(14));
        assertEquals("\tsecond line", source.lineAt(14));
        assertEquals("\tsecond line\n\t       ^", source.excerpt(14));
        assertEquals("third", source.lineAt(source.length()));
    }

    /** Reads along a text with every kind of line break, counting lines as a person would. */
    @Test
    public void agreesWithCountingAlong() {
        String text = "a\n\nbc\r\n\r\rd\r\r\n\n\re\n\r";
        SourceText source = SourceText.of("generated", text);
        int line = 1;
        int column = 1;
        for (int offset = 0; offset < text.length(); offset++) {
            assertEquals(new Position(line, column), source.positionAt(offset));
            column++;
            boolean pair = text.startsWith("\r\n", offset);
            if (!pair && text.charAt(offset) < ' ') {
                line++;
                column = 1;
            }
        }
        assertEquals(new Position(line, column), source.positionAt(text.length()));
    }
}
