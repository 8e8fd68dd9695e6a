package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reads and books the same journal again and again, as an import does that is tried until the books agree. */
class BooksWorkloadTest {

    private static final int LINES = 100;
    private static final int IMPORTS = 90;

    @Test
    void importsAJournal() {
        List<Transaction> transactions = SampleBooks.transactions(LINES, new Random(37));
        List<String> journal = new ArrayList<>();
        for (Transaction transaction : transactions) {
            journal.add(JournalFormat.write(transaction));
        }
        AccountCode assets = new AccountCode("1000");
        DateRange year = new DateRange(LocalDate.of(2024, 1, 1), LocalDate.of(2024, 12, 31));
        Money expected = AccountStatement.of(SampleBooks.ledger(transactions), assets, year).closing();
        for (int i = 0; i < IMPORTS; i++) {
            List<Transaction> read = new ArrayList<>();
            for (String line : journal) {
                read.add(JournalFormat.read(line));
            }
            Ledger ledger = SampleBooks.ledger(read);

            assertEquals(transactions, ledger.transactions());
            assertEquals(expected, AccountStatement.of(ledger, assets, year).closing());
        }
        assertThrows(LedgerException.class, () -> JournalFormat.read(journal.get(0) + " | 6000"));
    }
}
