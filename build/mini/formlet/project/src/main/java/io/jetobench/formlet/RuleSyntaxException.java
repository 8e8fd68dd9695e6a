package io.jetobench.formlet;

/** Thrown when a rule's text cannot be understood. */
public final class RuleSyntaxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final int position;

    RuleSyntaxException(String problem, String text, int position) {
        super(problem + " at position " + position + " of: " + text);
        this.position = position;
    }

    /** Where in the text the problem is, counted from 0. */
    public int position() {
        return position;
    }
}
