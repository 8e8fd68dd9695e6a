package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class IndenterTest {

    @Test
    public void indentsLinesThatAreNotBlank() {
        assertEquals("  a\n\n    b\n  ", Indenter.indent("a\n\n  b\n  ", 2));
        assertEquals("", Indenter.indent("", 4));
    }

    @Test
    public void takesAwayTheCommonMargin() {
        assertEquals("a\n  b\n\nc", Indenter.dedent("  a\n    b\n \n  c"));
        assertEquals("a\n  b\n", Indenter.dedent("a\n  b\n"));
    }

    @Test
    public void expandsTabsToColumns() {
        assertEquals("a   b\n    c", Indenter.expandTabs("a\tb\n\tc", 4));
        assertEquals("abcd    e", Indenter.expandTabs("abcd\te", 4));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesToIndentToTheLeft() {
        Indenter.indent("a", -1);
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesTabsWithoutWidth() {
        Indenter.expandTabs("a", 0);
    }

    /** Every text of up to four characters from a letter, a space and a line break. */
    @Test
    public void dedentingTakesBackAnIndent() {
        checkAllTexts(new StringBuilder(), 4);
    }

    private static void checkAllTexts(StringBuilder text, int room) {
        String dedented = Indenter.dedent(text.toString());
        if (!dedented.equals(Indenter.dedent(Indenter.indent(dedented, 3)))) {
            assertEquals(dedented, Indenter.dedent(Indenter.indent(dedented, 3)));
        }
        if (room > 0) {
            for (char c : new char[] {'a', ' ', '\n'}) {
                checkAllTexts(text.append(c), room - 1);
                text.setLength(text.length() - 1);
            }
        }
    }
}
