package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JournalFormatTest {

    private static final Transaction RENT = new Transaction(
            LocalDate.of(2024, 3, 1),
            "Office",
            List.of(Posting.of("6000", "1200.00"), Posting.of("1000.10.1", "-1200.00")));

    private static final String RENT_LINE = "2024-03-01 * Office | 6000 1200.00 | 1000.10.1 -1200.00";

    @Test
    void writesOneLine() {
        assertEquals(RENT_LINE, JournalFormat.write(RENT));
    }

    @Test
    void readsOneLine() {
        assertEquals(RENT, JournalFormat.read(RENT_LINE));
    }

    @Test
    void refusesOtherLines() {
        List<String> lines = List.of(
                "",
                "2024-03-01 Office | 1 1.00 | 2 -1.00",
                "2024-13-01 * Office | 1 1.00 | 2 -1.00",
                "2024-03-01 * Office | 1 1.00 | 2",
                "2024-03-01 * Office | 1 1.00 | x -1.00",
                "2024-03-01 * Office | 1 1.00 | 2 -1.0",
                "2024-03-01 * Office | 1 1.00 | 2 -1.01",
                "2024-03-01 * Office | 1 0.00",
                "2024-03-01 * Office");
        for (String line : lines) {
            assertThrows(LedgerException.class, () -> JournalFormat.read(line), line);
        }
    }

    @Test
    void refusesDescriptionsThatWouldNotComeBack() {
        for (String description : List.of("a|b", "a\nb", "a\rb")) {
            Transaction transaction = new Transaction(RENT.date(), description, RENT.postings());

            assertThrows(LedgerException.class, () -> JournalFormat.write(transaction), description);
        }
    }

    @Test
    void readsWhatItWrote() {
        for (Transaction transaction : SampleBooks.transactions(10, new Random(9))) {
            assertEquals(transaction, JournalFormat.read(JournalFormat.write(transaction)));
        }
    }
}
