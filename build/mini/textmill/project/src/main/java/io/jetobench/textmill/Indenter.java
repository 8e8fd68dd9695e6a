package io.jetobench.textmill;

/** Changes the white space at the start of lines. Lines end with {@code \n} here. */
public final class Indenter {

    private Indenter() {}

    /** Puts spaces before each line that is not blank. */
    public static String indent(String text, int spaces) {
        if (spaces < 0) {
            throw new IllegalArgumentException("cannot indent by " + spaces);
        }
        StringBuilder result = new StringBuilder(text.length() + 8 * spaces);
        int start = 0;
        while (start < text.length()) {
            int end = endOfLine(text, start);
            if (leadingSpaces(text, start, end) < end - start) {
                Alignment.appendSpaces(result, spaces);
            }
            end = Math.min(end + 1, text.length());
            result.append(text, start, end);
            start = end;
        }
        return result.toString();
    }

    /** Takes away the spaces that all lines have in common; blank lines do not count and end up empty. */
    public static String dedent(String text) {
        int margin = commonMargin(text);
        StringBuilder result = new StringBuilder(text.length());
        int start = 0;
        while (start < text.length()) {
            int end = endOfLine(text, start);
            if (leadingSpaces(text, start, end) < end - start) {
                result.append(text, start + margin, end);
            }
            if (end < text.length()) {
                result.append('\n');
            }
            start = end + 1;
        }
        return result.toString();
    }

    /** Replaces tabs by spaces up to the next column that is a multiple of {@code tabWidth}. */
    public static String expandTabs(String text, int tabWidth) {
        if (tabWidth < 1) {
            throw new IllegalArgumentException("tab width " + tabWidth);
        }
        StringBuilder result = new StringBuilder(text.length() + 16);
        int column = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\t') {
                int spaces = tabWidth - column % tabWidth;
                Alignment.appendSpaces(result, spaces);
                column += spaces;
            } else {
                result.append(c);
                column = c == '\n' ? 0 : column + 1;
            }
        }
        return result.toString();
    }

    private static int commonMargin(String text) {
        int margin = Integer.MAX_VALUE;
        int start = 0;
        while (start < text.length()) {
            int end = endOfLine(text, start);
            int leading = leadingSpaces(text, start, end);
            if (leading < end - start) {
                margin = Math.min(margin, leading);
            }
            start = end + 1;
        }
        return margin;
    }

    private static int leadingSpaces(String text, int start, int end) {
        int i = start;
        while (i < end && text.charAt(i) == ' ') {
            i++;
        }
        return i - start;
    }

    private static int endOfLine(String text, int start) {
        int end = text.indexOf('\n', start);
        return end < 0 ? text.length() : end;
    }
}
