package io.jetobench.textmill;

import java.util.ArrayList;
import java.util.List;

/**
 * Fills paragraphs: breaks lines at white space so that they fit a width.
 *
 * <p>Runs of white space count as one space. A word that is wider than the line stands alone on a line
 * and sticks out; words are never cut.
 */
public final class ParagraphWrapper {

    private final int width;
    private final String firstIndent;
    private final String restIndent;

    /** Creates a wrapper without indents. */
    public ParagraphWrapper(int width) {
        this(width, "", "");
    }

    /**
     * Creates a wrapper.
     *
     * @param width the largest number of characters in a line, indent included
     * @param firstIndent what stands before the first line
     * @param restIndent what stands before every other line
     */
    public ParagraphWrapper(int width, String firstIndent, String restIndent) {
        if (width <= Math.max(firstIndent.length(), restIndent.length())) {
            throw new IllegalArgumentException("a width of " + width + " leaves no room for words");
        }
        this.width = width;
        this.firstIndent = firstIndent;
        this.restIndent = restIndent;
    }

    /** Returns the lines of a paragraph; none if it holds no word. */
    public List<String> wrap(String paragraph) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(firstIndent);
        boolean empty = true;
        int start = nextWord(paragraph, 0);
        while (start < paragraph.length()) {
            int end = endOfWord(paragraph, start);
            if (!empty && line.length() + 1 + end - start > width) {
                lines.add(line.toString());
                line.setLength(0);
                line.append(restIndent);
                empty = true;
            }
            if (!empty) {
                line.append(' ');
            }
            line.append(paragraph, start, end);
            empty = false;
            start = nextWord(paragraph, end);
        }
        if (!empty) {
            lines.add(line.toString());
        }
        return lines;
    }

    private static int nextWord(String text, int from) {
        int i = from;
        while (i < text.length() && isBlank(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static int endOfWord(String text, int from) {
        int i = from;
        while (i < text.length() && !isBlank(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }
}
