package io.jetobench.textmill;

import java.util.Objects;

/**
 * A text with a name, which can tell the line and column of any offset.
 *
 * <p>A line ends with {@code \n}, {@code \r} or {@code \r\n}; the characters of the line break belong
 * to the line they end.
 */
public final class SourceText {

    private final String name;
    private final String text;

    private SourceText(String name, String text) {
        this.name = Objects.requireNonNull(name, "name");
        this.text = Objects.requireNonNull(text, "text");
    }

    /**
     * Names a text.
     *
     * @param name where the text comes from, as messages should call it
     * @param text the text
     */
    public static SourceText of(String name, String text) {
        return new SourceText(name, text);
    }

    public String name() {
        return name;
    }

    public String text() {
        return text;
    }

    public int length() {
        return text.length();
    }

    /**
     * Finds line and column of an offset.
     *
     * @param offset index of a character, or the length of the text for its end
     * @throws IndexOutOfBoundsException if the offset is outside the text
     */
    public Position positionAt(int offset) {
        checkOffset(offset);
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < offset; i++) {
            if (endsLine(i)) {
                line++;
                lineStart = i + 1;
            }
        }
        return new Position(line, offset - lineStart + 1);
    }

    /**
     * Returns the line that holds an offset, without its line break.
     *
     * @throws IndexOutOfBoundsException if the offset is outside the text
     */
    public String lineAt(int offset) {
        int start = offset - positionAt(offset).column() + 1;
        int end = start;
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return text.substring(start, end);
    }

    /** Returns {@code name:line:column} of an offset, the form most editors can jump to. */
    public String describe(int offset) {
        return name + ":" + positionAt(offset);
    }

    /** Returns the line that holds an offset and, below it, a caret that points at the offset. */
    public String excerpt(int offset) {
        String line = lineAt(offset);
        int column = positionAt(offset).column();
        StringBuilder result = new StringBuilder(2 * line.length() + 2);
        result.append(line).append('\n');
        for (int i = 1; i < column; i++) {
            boolean tab = i <= line.length() && line.charAt(i - 1) == '\t';
            result.append(tab ? '\t' : ' ');
        }
        return result.append('^').toString();
    }

    private void checkOffset(int offset) {
        if (offset < 0 || offset > text.length()) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + " in a text of " + text.length() + " characters");
        }
    }

    /** Whether the character at this index is the last one of a line break. */
    private boolean endsLine(int index) {
        char c = text.charAt(index);
        if (c == '\r') {
            return index + 1 == text.length() || text.charAt(index + 1) != '\n';
        }
        return c == '\n';
    }
}
