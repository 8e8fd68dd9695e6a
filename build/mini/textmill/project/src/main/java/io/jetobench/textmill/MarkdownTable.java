package io.jetobench.textmill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table as Markdown writes it, with columns padded so that the source is readable too.
 *
 * <p>Instances are builders and may change: add columns, then rows, then {@link #render() render}.
 */
public final class MarkdownTable {

    private static final int MIN_WIDTH = 3;

    private final List<String> headers = new ArrayList<>();
    private final List<Alignment> alignments = new ArrayList<>();
    private final List<String[]> rows = new ArrayList<>();

    /**
     * Adds a column.
     *
     * @throws IllegalStateException if there are rows already
     */
    public MarkdownTable column(String header, Alignment alignment) {
        if (!rows.isEmpty()) {
            throw new IllegalStateException("columns come before rows");
        }
        headers.add(escape(header));
        alignments.add(alignment);
        return this;
    }

    /** Adds a row, which must have a cell for each column. */
    public MarkdownTable row(String... cells) {
        if (cells.length != headers.size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells for " + headers.size() + " columns: " + Arrays.toString(cells));
        }
        String[] row = new String[cells.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = escape(cells[i]);
        }
        rows.add(row);
        return this;
    }

    /** Returns the table, every line of it ended by {@code \n}. */
    public String render() {
        int[] widths = widths();
        StringBuilder out = new StringBuilder();
        appendRow(out, headers.toArray(new String[0]), widths);
        appendRule(out, widths);
        for (String[] row : rows) {
            appendRow(out, row, widths);
        }
        return out.toString();
    }

    private int[] widths() {
        int[] widths = new int[headers.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(MIN_WIDTH, headers.get(i).length());
            for (String[] row : rows) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        return widths;
    }

    private void appendRow(StringBuilder out, String[] cells, int[] widths) {
        out.append('|');
        for (int i = 0; i < cells.length; i++) {
            out.append(' ');
            alignments.get(i).appendPadded(out, cells[i], widths[i]);
            out.append(" |");
        }
        out.append('\n');
    }

    private void appendRule(StringBuilder out, int[] widths) {
        out.append('|');
        for (int i = 0; i < widths.length; i++) {
            Alignment alignment = alignments.get(i);
            out.append(alignment == Alignment.CENTER ? ':' : ' ');
            for (int dash = 0; dash < widths[i]; dash++) {
                out.append('-');
            }
            out.append(alignment == Alignment.LEFT ? ' ' : ':').append('|');
        }
        out.append('\n');
    }

    private static String escape(String cell) {
        StringBuilder out = new StringBuilder(cell.length() + 4);
        for (int i = 0; i < cell.length(); i++) {
            char c = cell.charAt(i);
            if (c == '|' || c == '\\') {
                out.append('\\').append(c);
            } else {
                out.append(c == '\n' || c == '\r' ? ' ' : c);
            }
        }
        return out.toString();
    }
}
