package io.jetobench.textmill;

import java.util.ArrayList;
import java.util.List;

/**
 * Differences between two lists of lines.
 *
 * <p>The edit script is a shortest one: it keeps a longest common subsequence. Where several are
 * equally short, deletions come before insertions and common lines are kept as early as possible.
 */
public final class LineDiff {

    private LineDiff() {}

    /** Returns the steps that turn the old lines into the new ones. */
    public static List<Edit> between(List<String> oldLines, List<String> newLines) {
        int prefix = commonPrefix(oldLines, newLines);
        int suffix = commonSuffix(oldLines, newLines, prefix);
        String[] a = oldLines.subList(prefix, oldLines.size() - suffix).toArray(new String[0]);
        String[] b = newLines.subList(prefix, newLines.size() - suffix).toArray(new String[0]);

        List<Edit> edits = new ArrayList<>();
        keep(oldLines.subList(0, prefix), edits);
        diffMiddle(a, b, edits);
        keep(oldLines.subList(oldLines.size() - suffix, oldLines.size()), edits);
        return edits;
    }

    /**
     * Carries out the steps of an edit script.
     *
     * @throws IllegalArgumentException if the script was made for other lines
     */
    public static List<String> patch(List<String> oldLines, List<Edit> edits) {
        List<String> result = new ArrayList<>();
        int next = 0;
        for (Edit edit : edits) {
            if (edit.kind() != Edit.Kind.INSERT) {
                if (next == oldLines.size() || !oldLines.get(next).equals(edit.line())) {
                    throw new IllegalArgumentException("line " + (next + 1) + " is not '" + edit.line() + "'");
                }
                next++;
            }
            if (edit.kind() != Edit.Kind.DELETE) {
                result.add(edit.line());
            }
        }
        if (next != oldLines.size()) {
            throw new IllegalArgumentException("the script ends before line " + (next + 1));
        }
        return result;
    }

    private static int commonPrefix(List<String> a, List<String> b) {
        int limit = Math.min(a.size(), b.size());
        int i = 0;
        while (i < limit && a.get(i).equals(b.get(i))) {
            i++;
        }
        return i;
    }

    private static int commonSuffix(List<String> a, List<String> b, int prefix) {
        int limit = Math.min(a.size(), b.size()) - prefix;
        int i = 0;
        while (i < limit && a.get(a.size() - 1 - i).equals(b.get(b.size() - 1 - i))) {
            i++;
        }
        return i;
    }

    private static void keep(List<String> lines, List<Edit> edits) {
        for (String line : lines) {
            edits.add(new Edit(Edit.Kind.KEEP, line));
        }
    }

    private static void diffMiddle(String[] a, String[] b, List<Edit> edits) {
        int[][] common = commonLengths(a, b);
        int i = 0;
        int j = 0;
        while (i < a.length || j < b.length) {
            if (i < a.length && j < b.length && a[i].equals(b[j])) {
                edits.add(new Edit(Edit.Kind.KEEP, a[i++]));
                j++;
            } else if (i < a.length && (j == b.length || common[i + 1][j] >= common[i][j + 1])) {
                edits.add(new Edit(Edit.Kind.DELETE, a[i++]));
            } else {
                edits.add(new Edit(Edit.Kind.INSERT, b[j++]));
            }
        }
    }

    /** Returns, for each i and j, the length of a longest common subsequence of a[i..] and b[j..]. */
    private static int[][] commonLengths(String[] a, String[] b) {
        int[][] common = new int[a.length + 1][b.length + 1];
        for (int i = a.length - 1; i >= 0; i--) {
            int[] below = common[i + 1];
            int[] row = common[i];
            String line = a[i];
            for (int j = b.length - 1; j >= 0; j--) {
                row[j] = line.equals(b[j]) ? below[j + 1] + 1 : Math.max(below[j], row[j + 1]);
            }
        }
        return common;
    }
}
