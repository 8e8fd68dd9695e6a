package io.jetobench.textmill;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits the text of a small configuration or expression language into tokens.
 *
 * <p>White space separates tokens and is dropped, and so are comments, which run from {@code #} to the
 * end of the line. The kinds of token are those of {@link TokenType}.
 */
public final class Tokenizer {

    private static final String SYMBOLS = "+-*/%=<>!&|(){}[],;:.?";

    /**
     * Reads all tokens of a text.
     *
     * @return the tokens in the order of the text
     * @throws SyntaxException at a character that starts no token, or a string that is not closed on
     *     its line
     */
    public List<Token> tokenize(SourceText source) {
        String text = source.text();
        List<Token> tokens = new ArrayList<>();
        int start = skipBlanks(text, 0);
        while (start < text.length()) {
            TokenType type = typeAt(source, start);
            int end = endOf(source, type, start);
            tokens.add(new Token(type, text.substring(start, end), source.positionAt(start)));
            start = skipBlanks(text, end);
        }
        return tokens;
    }

    /** Skips white space and comments. */
    private static int skipBlanks(String text, int from) {
        int i = from;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '#') {
                i = skipComment(text, i);
            } else if (c == ' ' || c == '\t' || isLineBreak(c)) {
                i++;
            } else {
                break;
            }
        }
        return i;
    }

    private static int skipComment(String text, int from) {
        int i = from;
        while (i < text.length() && !isLineBreak(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static TokenType typeAt(SourceText source, int start) {
        char c = source.text().charAt(start);
        if (isNameStart(c)) {
            return TokenType.NAME;
        }
        if (isDigit(c)) {
            return TokenType.NUMBER;
        }
        if (c == '"') {
            return TokenType.STRING;
        }
        if (SYMBOLS.indexOf(c) >= 0) {
            return TokenType.SYMBOL;
        }
        throw new SyntaxException(source, start, "unexpected character '" + c + "'");
    }

    private static int endOf(SourceText source, TokenType type, int start) {
        switch (type) {
            case NAME:
                return endOfName(source.text(), start);
            case NUMBER:
                return endOfNumber(source.text(), start);
            case STRING:
                return endOfString(source, start);
            default:
                return start + 1;
        }
    }

    private static int endOfName(String text, int start) {
        int i = start + 1;
        while (i < text.length() && (isNameStart(text.charAt(i)) || isDigit(text.charAt(i)))) {
            i++;
        }
        return i;
    }

    private static int endOfNumber(String text, int start) {
        int i = endOfDigits(text, start);
        boolean fraction = i + 1 < text.length() && text.charAt(i) == '.' && isDigit(text.charAt(i + 1));
        return fraction ? endOfDigits(text, i + 1) : i;
    }

    private static int endOfDigits(String text, int start) {
        int i = start;
        while (i < text.length() && isDigit(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static int endOfString(SourceText source, int start) {
        String text = source.text();
        int i = start + 1;
        while (i < text.length() && !isLineBreak(text.charAt(i))) {
            char c = text.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            boolean escape = c == '\\' && i + 1 < text.length() && !isLineBreak(text.charAt(i + 1));
            i += escape ? 2 : 1;
        }
        throw new SyntaxException(source, start, "string is not closed");
    }

    private static boolean isNameStart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLineBreak(char c) {
        return c == '\n' || c == '\r';
    }
}
