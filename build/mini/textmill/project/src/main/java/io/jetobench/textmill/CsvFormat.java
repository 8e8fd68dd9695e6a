package io.jetobench.textmill;

import java.util.ArrayList;
import java.util.List;

/**
 * Comma-separated values as RFC 4180 has them, with any separator.
 *
 * <p>A field that holds the separator, a quote or a line break is quoted, and a quote in it is written
 * twice. Lines are written with {@code \n}; {@code \r\n} is read as well.
 */
public final class CsvFormat {

    private static final char QUOTE = '"';

    private final char separator;

    /** Creates the format with commas. */
    public CsvFormat() {
        this(',');
    }

    /** Creates the format with another separator. */
    public CsvFormat(char separator) {
        if (separator == QUOTE || separator == '\n' || separator == '\r') {
            throw new IllegalArgumentException("not a separator: " + (int) separator);
        }
        this.separator = separator;
    }

    /** Writes rows, each ended by {@code \n}. */
    public String write(List<List<String>> rows) {
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            if (row.isEmpty()) {
                throw new IllegalArgumentException("a row needs a field");
            }
            for (int i = 0; i < row.size(); i++) {
                if (i > 0) {
                    out.append(separator);
                }
                appendField(out, row.get(i));
            }
            out.append('\n');
        }
        return out.toString();
    }

    /**
     * Reads rows.
     *
     * @throws SyntaxException if a quoted field is not closed or goes on after its quote
     */
    public List<List<String>> read(SourceText source) {
        String text = source.text();
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            field.setLength(0);
            i = text.charAt(i) == QUOTE ? readQuoted(source, i, field) : readPlain(text, i, field);
            row.add(field.toString());
            if (i < text.length() && text.charAt(i) == separator) {
                i++;
                if (i < text.length()) {
                    continue;
                }
                row.add("");
            }
            rows.add(row);
            row = new ArrayList<>();
            i = skipLineBreak(text, i);
        }
        return rows;
    }

    private void appendField(StringBuilder out, String field) {
        if (!needsQuotes(field)) {
            out.append(field);
            return;
        }
        out.append(QUOTE);
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == QUOTE) {
                out.append(QUOTE);
            }
            out.append(c);
        }
        out.append(QUOTE);
    }

    private boolean needsQuotes(String field) {
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == separator || c == QUOTE || isLineBreak(c)) {
                return true;
            }
        }
        return false;
    }

    private int readPlain(String text, int start, StringBuilder field) {
        int i = start;
        while (i < text.length() && text.charAt(i) != separator && !isLineBreak(text.charAt(i))) {
            i++;
        }
        field.append(text, start, i);
        return i;
    }

    private int readQuoted(SourceText source, int start, StringBuilder field) {
        String text = source.text();
        int i = start + 1;
        while (i < text.length()) {
            char c = text.charAt(i);
            boolean doubled = c == QUOTE && i + 1 < text.length() && text.charAt(i + 1) == QUOTE;
            if (c == QUOTE && !doubled) {
                return checkFieldEnds(source, i + 1);
            }
            field.append(c);
            i += doubled ? 2 : 1;
        }
        throw new SyntaxException(source, start, "quoted field is not closed");
    }

    private int checkFieldEnds(SourceText source, int end) {
        String text = source.text();
        if (end < text.length() && text.charAt(end) != separator && !isLineBreak(text.charAt(end))) {
            throw new SyntaxException(source, end, "text after a quoted field");
        }
        return end;
    }

    private static int skipLineBreak(String text, int from) {
        if (from + 1 < text.length() && text.charAt(from) == '\r' && text.charAt(from + 1) == '\n') {
            return from + 2;
        }
        return Math.min(from + 1, text.length());
    }

    private static boolean isLineBreak(char c) {
        return c == '\n' || c == '\r';
    }
}
