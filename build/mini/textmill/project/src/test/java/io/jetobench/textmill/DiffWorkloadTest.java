package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Compares two versions of a generated file again and again, as an editor does while one types. */
public class DiffWorkloadTest {

    private static final int LINES = 160;
    private static final int COMPARISONS = 40;

    @Test
    public void comparesVersionsOfAFile() {
        Random random = new Random(31);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            lines.add(line(random));
        }
        List<String> changed = change(lines, random);
        for (int i = 0; i < COMPARISONS; i++) {
            assertEquals(changed, LineDiff.patch(lines, LineDiff.between(lines, changed)));
            assertEquals(lines, LineDiff.patch(changed, LineDiff.between(changed, lines)));
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
