package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Tokenizes generated settings files, as a program does that looks for changes in them. */
public class TokenizerWorkloadTest {

    private static final int LINES = 200;

    private static final int READS = 12;

    @Test
    public void tokenizesALongFile() {
        SettingsFile file = new SettingsFile(LINES, "\n", new Random(11));
        for (int i = 0; i < READS; i++) {
            check(file);
        }
    }

    @Test
    public void tokenizesALongFileWithTwoCharacterLineBreaks() {
        SettingsFile file = new SettingsFile(LINES, "\r\n", new Random(12));
        for (int i = 0; i < READS; i++) {
            check(file);
        }
    }

    @Test
    public void tokenizesManyShortFiles() {
        SettingsFile file = new SettingsFile(4, "\n", new Random(13));
        for (int i = 0; i < 1500 * READS; i++) {
            check(file);
        }
    }

    private static void check(SettingsFile file) {
        List<Token> tokens = new Tokenizer().tokenize(SourceText.of("settings", file.text.toString()));

        assertEquals(file.tokens.size(), tokens.size());
        for (int i = 0; i < tokens.size(); i++) {
            assertEquals(file.tokens.get(i), tokens.get(i));
        }
    }

    /** A file that is written token by token, so that it knows where each one stands. */
    private static final class SettingsFile {

        private static final String[] NAMES = {"width", "height", "margin_left", "x1", "title", "depth"};

        private final StringBuilder text = new StringBuilder();
        private final List<Token> tokens = new ArrayList<>();
        private final Random random;
        private int lineStart;

        SettingsFile(int lines, String lineBreak, Random random) {
            this.random = random;
            for (int line = 1; line <= lines; line++) {
                writeLine(line);
                text.append(lineBreak);
                lineStart = text.length();
            }
        }

        private void writeLine(int line) {
            switch (random.nextInt(4)) {
                case 0:
                    text.append("# ").append(line);
                    break;
                case 1:
                    text.append("    ");
                    write(line, TokenType.NAME, name());
                    write(line, TokenType.SYMBOL, "=");
                    write(line, TokenType.STRING, "\"" + name() + " \\\" " + name() + "\"");
                    break;
                default:
                    write(line, TokenType.NAME, name());
                    write(line, TokenType.SYMBOL, "=");
                    write(line, TokenType.NUMBER, random.nextInt(1000) + ".5");
                    write(line, TokenType.SYMBOL, "*");
                    write(line, TokenType.NAME, name());
            }
        }

        private void write(int line, TokenType type, String token) {
            tokens.add(new Token(type, token, new Position(line, text.length() - lineStart + 1)));
            text.append(token).append(' ');
        }

        private String name() {
            return NAMES[random.nextInt(NAMES.length)];
        }
    }
}
