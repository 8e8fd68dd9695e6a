package io.jetobench.textmill;

/** What a {@link Token} is. */
public enum TokenType {
    /** A letter or underscore, then letters, digits and underscores. */
    NAME,
    /** Digits, with a fraction if a point and a digit follow. */
    NUMBER,
    /** Text between double quotes, quotes included; a backslash takes the next character as it is. */
    STRING,
    /** One character of punctuation. */
    SYMBOL
}
