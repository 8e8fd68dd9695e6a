package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

public class TokenizerTest {

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
        SyntaxException problem = problem("a = 1\nb = \"open\nc = 2");

        assertEquals(new Position(2, 5), problem.position());
        assertEquals("test:2:5: string is not closed", problem.getMessage());
    }

    @Test
    public void saysWhereACharacterStartsNoToken() {
        SyntaxException problem = problem("a\rb\rc @");

        assertEquals(new Position(3, 3), problem.position());
        assertEquals("test:3:3: unexpected character '@'", problem.getMessage());
    }

    @Test
    public void endsATokenWhereItsRuleEnds() {
        assertEquals("[1:1 NUMBER 1, 1:2 NAME a_1]", tokenize("1a_1").toString());
        assertEquals("[1:1 NUMBER 1, 1:2 SYMBOL ., 1:3 SYMBOL ., 1:4 NUMBER 2]", tokenize("1..2").toString());
        assertEquals("[1:1 NUMBER 1.2, 1:4 SYMBOL ., 1:5 NUMBER 3]", tokenize("1.2.3").toString());
        assertEquals("[1:1 NUMBER 1, 1:2 SYMBOL .]", tokenize("1.").toString());
        assertEquals("[1:1 STRING \"\", 1:3 STRING \"#\"]", tokenize("\"\"\"#\"#\"").toString());
        assertEquals("[1:1 STRING \"\\\\\", 1:5 NAME a]", tokenize("\"\\\\\"a").toString());
    }

    @Test
    public void doesNotEscapeALineBreak() {
        assertEquals(new Position(1, 1), problem("\"a\\\n\"").position());
    }

    private List<Token> tokenize(String text) {
        return tokenizer.tokenize(SourceText.of("test", text));
    }

    private SyntaxException problem(String text) {
        try {
            tokenize(text);
        } catch (SyntaxException e) {
            return e;
        }
        throw new AssertionError("nothing is wrong with " + text);
    }
}
