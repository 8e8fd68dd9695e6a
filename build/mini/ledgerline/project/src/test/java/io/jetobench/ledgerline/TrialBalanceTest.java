package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrialBalanceTest {

    @Test
    void rollsPartsUpIntoTheWhole() {
        Ledger ledger = new Ledger(SampleBooks.chart());
        ledger.post(new Transaction(
                LocalDate.of(2024, 1, 2),
                "start",
                List.of(
                        Posting.of("1000.10.1", "7.00"),
                        Posting.of("1000.10.2", "2.00"),
                        Posting.of("1000.20", "1.00"),
                        Posting.of("3000", "-10.00"))));
        List<TrialBalance.Row> rows = TrialBalance.of(ledger).rows();

        assertEquals(12, rows.size());
        assertEquals(Money.ZERO, rows.get(0).own());
        assertEquals(Money.parse("10.00"), rows.get(0).total());
        assertEquals(Money.parse("9.00"), rows.get(1).total());
        assertEquals(Money.parse("7.00"), rows.get(2).total());
        assertEquals(Money.parse("-10.00"), rows.get(6).total());
    }

    @Test
    void showsBalancesAsTheyNormallyStand() {
        Ledger ledger = new Ledger(SampleBooks.chart());
        ledger.post(JournalFormat.read("2024-01-02 * sale | 1000.20 3.00 | 4000.1 -3.00"));
        String[] lines = TrialBalance.of(ledger).toString().split("\\R");

        assertEquals(4, lines.length);
        assertEquals("1000.20      Cash                               3.00", lines[1]);
        assertEquals("4000.1       Sales at home                      3.00", lines[3]);
    }

    @Test
    void agreesWithAddingUpThePostings() {
        for (int seed = 0; seed < 2; seed++) {
            List<Transaction> transactions = SampleBooks.transactions(12, new Random(seed));
            TrialBalance trial = TrialBalance.of(SampleBooks.ledger(transactions));

            assertTrue(trial.sum().isZero());
            for (TrialBalance.Row row : trial.rows()) {
                assertEquals(sumWithin(row.account().code(), transactions), row.total().cents());
            }
        }
    }

    private static long sumWithin(AccountCode code, List<Transaction> transactions) {
        long sum = 0;
        for (Transaction transaction : transactions) {
            for (Posting posting : transaction.postings()) {
                if (posting.account().isWithin(code)) {
                    sum += posting.amount().cents();
                }
            }
        }
        return sum;
    }
}
