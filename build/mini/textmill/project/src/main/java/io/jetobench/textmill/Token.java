package io.jetobench.textmill;

import java.util.Objects;

/** A piece of text that belongs together, and where it starts. */
public final class Token {

    private final TokenType type;
    private final String text;
    private final Position position;

    /**
     * Creates a token.
     *
     * @param type what it is
     * @param text its characters as they stand in the source
     * @param position where its first character stands
     */
    public Token(TokenType type, String text, Position position) {
        this.type = Objects.requireNonNull(type, "type");
        this.text = Objects.requireNonNull(text, "text");
        this.position = Objects.requireNonNull(position, "position");
    }

    public TokenType type() {
        return type;
    }

    public String text() {
        return text;
    }

    public Position position() {
        return position;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Token)) {
            return false;
        }
        Token that = (Token) other;
        return type == that.type && text.equals(that.text) && position.equals(that.position);
    }

    @Override
    public int hashCode() {
        return Objects.hash(type, text, position);
    }

    @Override
    public String toString() {
        return position + " " + type + " " + text;
    }
}
