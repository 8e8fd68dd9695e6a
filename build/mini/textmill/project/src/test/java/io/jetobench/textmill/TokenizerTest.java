package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

public class TokenizerTest {

    /** The rules of the language once more, as regular expressions; group n is token type n - 1. */
    private static final Pattern RULES = Pattern.compile(
            "\\G(?:[ \\t\\r\\n]+|#[^\\r\\n]*"
                    + "|([A-Za-z_][A-Za-z_0-9]*)"
                    + "|([0-9]+(?:\\.[0-9]+)?)"
                    + "|(\"(?:[^\"\\\\\\r\\n]|\\\\[^\\r\\n])*\")"
                    + "|([-+*/%=<>!&|(){}\\[\\],;:.?]))");

    private static final char[] ALPHABET = {'a', '_', '1', '.', '+', '"', '\\', '#', ' ', '\n', '$'};

    private final Tokenizer tokenizer = new Tokenizer();

    @Test
    public void findsEveryKindOfToken() {
        List<Token> tokens = tokenize("rate_2 = 12.50 * \"a \\\" b\"");

        assertEquals(5, tokens.size());
        assertEquals(new Token(TokenType.NAME, "rate_2", new Position(1, 1)), tokens.get(0));
        assertEquals(new Token(TokenType.SYMBOL, "=", new Position(1, 8)), tokens.get(1));
        assertEquals(new Token(TokenType.NUMBER, "12.50", new Position(1, 10)), tokens.get(2));
        assertEquals(new Token(TokenType.SYMBOL, "*", new Position(1, 16)), tokens.get(3));
        assertEquals(new Token(TokenType.STRING, "\"a \\\" b\"", new Position(1, 18)), tokens.get(4));
    }

    @Test
    public void dropsBlanksAndComments() {
        List<Token> tokens = tokenize("# heading\r\n\ta # rest = 1\r\n\r\n  b#");

        assertEquals(2, tokens.size());
        assertEquals(new Token(TokenType.NAME, "a", new Position(2, 2)), tokens.get(0));
        assertEquals(new Token(TokenType.NAME, "b", new Position(4, 3)), tokens.get(1));
        assertTrue(tokenize(" \t\n# nothing here").isEmpty());
    }

    @Test
    public void saysWhereAStringIsNotClosed() {
        SyntaxException problem =
                assertThrows(SyntaxException.class, () -> tokenize("a = 1\nb = \"open\nc = 2"));

        assertEquals(new Position(2, 5), problem.position());
        assertEquals("test:2:5: string is not closed", problem.getMessage());
    }

    @Test
    public void saysWhereACharacterStartsNoToken() {
        SyntaxException problem = assertThrows(SyntaxException.class, () -> tokenize("a\rb\rc @"));

        assertEquals(new Position(3, 3), problem.position());
        assertEquals("test:3:3: unexpected character '@'", problem.getMessage());
    }

    /** Every text of up to four characters of an alphabet in which each rule has a part. */
    @Test
    public void agreesWithTheRulesAsRegularExpressions() {
        checkAllTexts(new StringBuilder(), 4);
    }

    private void checkAllTexts(StringBuilder text, int room) {
        checkAgainstRules(text.toString());
        if (room > 0) {
            for (char c : ALPHABET) {
                checkAllTexts(text.append(c), room - 1);
                text.setLength(text.length() - 1);
            }
        }
    }

    private void checkAgainstRules(String text) {
        List<Token> expected = new ArrayList<>();
        int problem = readByRules(text, expected);
        try {
            List<Token> actual = tokenize(text);
            assertEquals(text, -1, problem);
            assertEquals(text, expected, actual);
        } catch (SyntaxException e) {
            assertEquals(text, positionOf(text, problem), e.position());
        }
    }

    /** Adds the tokens before the first problem and returns its offset, or -1 if there is none. */
    private static int readByRules(String text, List<Token> tokens) {
        Matcher matcher = RULES.matcher(text);
        int next = 0;
        while (matcher.find()) {
            for (TokenType type : TokenType.values()) {
                String token = matcher.group(type.ordinal() + 1);
                if (token != null) {
                    tokens.add(new Token(type, token, positionOf(text, matcher.start())));
                }
            }
            next = matcher.end();
        }
        return next == text.length() ? -1 : next;
    }

    private static Position positionOf(String text, int offset) {
        int lastBreak = text.lastIndexOf('\n', offset - 1);
        int line = 1;
        for (int i = 0; i < offset; i++) {
            line += text.charAt(i) == '\n' ? 1 : 0;
        }
        return new Position(line, offset - lastBreak);
    }

    private List<Token> tokenize(String text) {
        return tokenizer.tokenize(SourceText.of("test", text));
    }
}
