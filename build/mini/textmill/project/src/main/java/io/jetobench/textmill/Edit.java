package io.jetobench.textmill;

import java.util.Objects;

/** One step from an old list of lines to a new one. */
public final class Edit {

    /** What a step does with its line. */
    public enum Kind {
        /** The line stands in both lists. */
        KEEP(' '),
        /** The line stands in the old list only. */
        DELETE('-'),
        /** The line stands in the new list only. */
        INSERT('+');

        private final char mark;

        Kind(char mark) {
            this.mark = mark;
        }
    }

    private final Kind kind;
    private final String line;

    /** Creates a step. */
    public Edit(Kind kind, String line) {
        this.kind = Objects.requireNonNull(kind, "kind");
        this.line = Objects.requireNonNull(line, "line");
    }

    public Kind kind() {
        return kind;
    }

    public String line() {
        return line;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Edit)) {
            return false;
        }
        Edit that = (Edit) other;
        return kind == that.kind && line.equals(that.line);
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + line.hashCode();
    }

    /** Returns the step as unified diffs write it: a mark, then the line. */
    @Override
    public String toString() {
        return kind.mark + line;
    }
}
