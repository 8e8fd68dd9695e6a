package io.jetobench.textmill;

import java.io.Serializable;

/** A place in a text as people name it: line and column, both counted from 1. */
public final class Position implements Serializable {

    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    /**
     * Creates a position.
     *
     * @param line line number, from 1
     * @param column column number, from 1
     */
    public Position(int line, int column) {
        if (line < 1 || column < 1) {
            throw new IllegalArgumentException("no such position: " + line + ":" + column);
        }
        this.line = line;
        this.column = column;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Position)) {
            return false;
        }
        Position that = (Position) other;
        return line == that.line && column == that.column;
    }

    @Override
    public int hashCode() {
        return 31 * line + column;
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
