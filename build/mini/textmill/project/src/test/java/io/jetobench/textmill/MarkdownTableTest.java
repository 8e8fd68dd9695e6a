package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.junit.Test;

public class MarkdownTableTest {

    @Test
    public void padsColumns() {
        MarkdownTable table = new MarkdownTable()
                .column("part", Alignment.LEFT)
                .column("size", Alignment.CENTER)
                .column("n", Alignment.RIGHT)
                .row("bolt", "M", "120")
                .row("washer", "small", "7");

        assertEquals(
                "| part   | size  |   n |\n"
                        + "| ------ |:-----:| ---:|\n"
                        + "| bolt   |   M   | 120 |\n"
                        + "| washer | small |   7 |\n",
                table.render());
    }

    @Test
    public void escapesWhatWouldBreakTheTable() {
        MarkdownTable table = new MarkdownTable().column("a|b", Alignment.LEFT).row("c\\d\ne");

        assertEquals("| a\\|b   |\n| ------ |\n| c\\\\d e |\n", table.render());
    }

    @Test
    public void refusesRowsThatDoNotFit() {
        MarkdownTable table = new MarkdownTable().column("a", Alignment.LEFT);

        assertThrows(IllegalArgumentException.class, () -> table.row("1", "2"));
        table.row("1");
        assertThrows(IllegalStateException.class, () -> table.column("b", Alignment.LEFT));
    }

    /** All lines are equally long, and every cell can be read back. */
    @Test
    public void keepsCellsInTheirColumns() {
        Random random = new Random(61);
        for (int round = 0; round < 1_200; round++) {
            int columns = 1 + random.nextInt(6);
            int rows = random.nextInt(20);
            String[][] cells = new String[rows][columns];
            String table = render(cells, random);
            String[] lines = table.split("\n");

            assertEquals(rows + 2, lines.length);
            for (int i = 0; i < lines.length; i++) {
                assertEquals(lines[0].length(), lines[i].length());
                if (i >= 2) {
                    checkRow(cells[i - 2], lines[i]);
                }
            }
        }
    }

    private static String render(String[][] cells, Random random) {
        int columns = cells.length == 0 ? 1 : cells[0].length;
        MarkdownTable table = new MarkdownTable();
        for (int i = 0; i < columns; i++) {
            table.column("column " + i, Alignment.values()[random.nextInt(3)]);
        }
        for (String[] row : cells) {
            for (int i = 0; i < columns; i++) {
                row[i] = "abcdefghijklmnop".substring(random.nextInt(16));
            }
            table.row(row);
        }
        return table.render();
    }

    private static void checkRow(String[] cells, String line) {
        int start = 1;
        for (String cell : cells) {
            int end = line.indexOf('|', start);
            assertEquals(cell, line.substring(start, end).trim());
            start = end + 1;
        }
        assertTrue(start == line.length());
    }
}
