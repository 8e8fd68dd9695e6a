package io.jetobench.textmill;

/** Text that does not follow the rules of its format, with the place where that was noticed. */
public final class SyntaxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Position position;

    /**
     * Creates an exception whose message starts with the place, as compilers write it.
     *
     * @param source the text that was read
     * @param offset where the problem is
     * @param problem what is wrong
     */
    public SyntaxException(SourceText source, int offset, String problem) {
        super(source.describe(offset) + ": " + problem);
        this.position = source.positionAt(offset);
    }

    public Position position() {
        return position;
    }
}
