package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Compares versions of a generated file of some hundred lines. */
public class LineDiffWorkloadTest {

    private static final int LINES = 600;
    private static final int VERSIONS = 15;

    @Test
    public void comparesManyVersionsOfAFile() {
        Random random = new Random(31);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            lines.add(line(random));
        }
        for (int version = 0; version < VERSIONS; version++) {
            List<String> changed = change(lines, random);
            List<Edit> edits = LineDiff.between(lines, changed);

            assertEquals(changed, LineDiff.patch(lines, edits));
            assertTrue(edits.size() <= lines.size() + LINES / 5);
            lines = changed;
        }
    }

    /** Replaces, drops or repeats every tenth line or so. */
    private static List<String> change(List<String> lines, Random random) {
        List<String> changed = new ArrayList<>();
        for (String line : lines) {
            switch (random.nextInt(30)) {
                case 0:
                    changed.add(line(random));
                    break;
                case 1:
                    break;
                case 2:
                    changed.add(line);
                    changed.add(line);
                    break;
                default:
                    changed.add(line);
            }
        }
        return changed;
    }

    private static String line(Random random) {
        return "    value_" + random.nextInt(80) + " = compute(" + random.nextInt(10) + ");";
    }
}
