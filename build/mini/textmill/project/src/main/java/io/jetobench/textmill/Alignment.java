package io.jetobench.textmill;

/** Where a text stands in a cell that is wider. */
public enum Alignment {
    LEFT,
    CENTER,
    RIGHT;

    /**
     * Pads a text with spaces; a text that is too wide stays as it is.
     *
     * @param width the number of characters to fill
     */
    public String pad(String text, int width) {
        StringBuilder out = new StringBuilder(Math.max(width, text.length()));
        appendPadded(out, text, width);
        return out.toString();
    }

    void appendPadded(StringBuilder out, String text, int width) {
        int room = Math.max(0, width - text.length());
        int before = this == LEFT ? 0 : this == RIGHT ? room : room / 2;
        appendSpaces(out, before);
        out.append(text);
        appendSpaces(out, room - before);
    }

    static void appendSpaces(StringBuilder out, int count) {
        for (int i = 0; i < count; i++) {
            out.append(' ');
        }
    }
}
