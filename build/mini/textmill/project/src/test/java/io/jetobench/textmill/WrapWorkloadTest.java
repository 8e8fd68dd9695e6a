package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Fills small paragraphs, and a long one at many widths as a window does that is being resized. */
public class WrapWorkloadTest {

    private static final int WORDS = 300;
    private static final int ROUNDS = 120;

    @Test
    public void breaksLinesAtSpaces() {
        assertEquals(
                Arrays.asList("the quick", "brown fox", "jumps"),
                new ParagraphWrapper(9).wrap("the quick brown fox jumps"));
    }

    @Test
    public void countsIndentsAsPartOfTheWidth() {
        assertEquals(
                Arrays.asList("- one two", "  three", "  four"),
                new ParagraphWrapper(9, "- ", "  ").wrap(" one  two\nthree\tfour "));
    }

    @Test
    public void leavesWideWordsWhole() {
        assertEquals(
                Arrays.asList("a", "incomprehensible", "b c"),
                new ParagraphWrapper(5).wrap("a incomprehensible b c"));
    }

    @Test
    public void hasNoLinesWithoutWords() {
        assertTrue(new ParagraphWrapper(5, "> ", "> ").wrap(" \n ").isEmpty());
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesNoWidth() {
        new ParagraphWrapper(0);
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesAWidthThatTheIndentFills() {
        new ParagraphWrapper(2, "", "  ");
    }

    /** Words keep their order, lines fit, and no line could have taken the word that follows it. */
    @Test
    public void fillsEachLineAsFarAsItGoes() {
        List<String> words = Arrays.asList("a b incredibly of three to window be c carriage".split(" "));
        for (int width = 10; width < 50; width += 3) {
            List<String> lines = new ParagraphWrapper(width).wrap(String.join(" ", words));

            assertEquals(words, Arrays.asList(String.join(" ", lines).split(" ")));
            for (int i = 0; i < lines.size(); i++) {
                assertTrue(lines.get(i).length() <= width);
                if (i > 0) {
                    String next = lines.get(i).split(" ", 2)[0];
                    assertTrue(lines.get(i - 1).length() + 1 + next.length() > width);
                }
            }
        }
    }

    @Test
    public void wrapsAParagraphAtManyWidths() {
        String paragraph = paragraph(new Random(51));
        for (int round = 0; round < ROUNDS; round++) {
            for (int width = 12; width <= 90; width += 3) {
                check(paragraph, new ParagraphWrapper(width, "* ", "  ").wrap(paragraph));
            }
        }
    }

    /** Words and the white space after them are as many characters as before; indents are two wide. */
    private static void check(String paragraph, List<String> lines) {
        int characters = 0;
        for (String line : lines) {
            characters += line.length() - 2 + 1;
        }
        assertEquals(paragraph.length(), characters);
    }

    private static String paragraph(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            text.append("abcdefghij", 0, 1 + random.nextInt(10)).append(i % 20 == 19 ? '\n' : ' ');
        }
        return text.toString();
    }
}
