package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

public class LineDiffTest {

    private static final List<String> NOTHING = Collections.emptyList();

    @Test
    public void keepsWhatIsCommon() {
        List<Edit> edits = LineDiff.between(Arrays.asList("a", "b", "c", "d"), Arrays.asList("a", "c", "x", "d"));

        assertEquals("[ a, -b,  c, +x,  d]", edits.toString());
    }

    @Test
    public void deletesBeforeItInserts() {
        assertEquals("[-a, +b]", LineDiff.between(Arrays.asList("a"), Arrays.asList("b")).toString());
    }

    @Test
    public void handlesEmptyLists() {
        List<String> lines = Arrays.asList("a", "b");

        assertTrue(LineDiff.between(NOTHING, NOTHING).isEmpty());
        assertEquals("[+a, +b]", LineDiff.between(NOTHING, lines).toString());
        assertEquals("[-a, -b]", LineDiff.between(lines, NOTHING).toString());
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesToPatchOtherLines() {
        LineDiff.patch(Arrays.asList("b", "a"), dropA());
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesToPatchFewerLines() {
        LineDiff.patch(Arrays.asList("a"), dropA());
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesToPatchMoreLines() {
        LineDiff.patch(Arrays.asList("a", "b", "c"), dropA());
    }

    /** Every pair of lists of up to three lines, each line one of two. */
    @Test
    public void findsAShortestScriptThatWorks() {
        List<List<String>> all = new ArrayList<>();
        collect(new ArrayList<>(), 3, all);
        for (List<String> oldLines : all) {
            for (List<String> newLines : all) {
                List<Edit> edits = LineDiff.between(oldLines, newLines);
                assertEquals(newLines, LineDiff.patch(oldLines, edits));
                int longest = longestCommon(oldLines, 0, newLines, 0);
                assertEquals(oldLines.size() + newLines.size() - longest, edits.size());
            }
        }
    }

    private static List<Edit> dropA() {
        return LineDiff.between(Arrays.asList("a", "b"), Arrays.asList("b"));
    }

    private static void collect(List<String> lines, int room, List<List<String>> all) {
        all.add(new ArrayList<>(lines));
        if (room > 0) {
            for (String line : new String[] {"a", "b"}) {
                lines.add(line);
                collect(lines, room - 1, all);
                lines.remove(lines.size() - 1);
            }
        }
    }

    private static int longestCommon(List<String> a, int i, List<String> b, int j) {
        if (i == a.size() || j == b.size()) {
            return 0;
        }
        if (a.get(i).equals(b.get(j))) {
            return 1 + longestCommon(a, i + 1, b, j + 1);
        }
        return Math.max(longestCommon(a, i + 1, b, j), longestCommon(a, i, b, j + 1));
    }
}
