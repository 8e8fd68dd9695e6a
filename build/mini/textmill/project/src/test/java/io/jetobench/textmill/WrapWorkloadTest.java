package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Fills many paragraphs at many widths. */
public class WrapWorkloadTest {

    private static final int PARAGRAPHS = 90;
    private static final int WORDS = 200;

    @Test
    public void wrapsManyParagraphsAtManyWidths() {
        Random random = new Random(51);
        for (int i = 0; i < PARAGRAPHS; i++) {
            String paragraph = paragraph(random);
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
