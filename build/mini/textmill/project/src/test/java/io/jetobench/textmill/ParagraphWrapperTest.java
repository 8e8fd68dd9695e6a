package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public class ParagraphWrapperTest {

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

    @Test
    public void refusesAWidthWithoutRoom() {
        assertThrows(IllegalArgumentException.class, () -> new ParagraphWrapper(2, "", "  "));
        assertThrows(IllegalArgumentException.class, () -> new ParagraphWrapper(0));
    }

    /** Words keep their order, lines fit, and no line could have taken the word that follows it. */
    @Test
    public void fillsEachLineAsFarAsItGoes() {
        Random random = new Random(41);
        for (int round = 0; round < 2_500; round++) {
            List<String> words = randomWords(random);
            int width = 8 + random.nextInt(20);
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

    private static List<String> randomWords(Random random) {
        List<String> words = new ArrayList<>();
        int count = 1 + random.nextInt(30);
        for (int i = 0; i < count; i++) {
            words.add("abcdefgh".substring(random.nextInt(8)));
        }
        return words;
    }
}
