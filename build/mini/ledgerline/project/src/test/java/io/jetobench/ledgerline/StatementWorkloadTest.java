package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Month;
import java.time.YearMonth;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Prints a statement for each account and month of a year. */
class StatementWorkloadTest {

    private static final int TRANSACTIONS = 2_500;

    @Test
    void makesStatementsOfAYear() {
        List<Transaction> transactions = SampleBooks.transactions(TRANSACTIONS, new Random(29));
        Ledger ledger = SampleBooks.ledger(transactions);
        for (Account account : ledger.chart().accounts()) {
            Money balance = Money.ZERO;
            for (Month month : Month.values()) {
                DateRange days = DateRange.of(YearMonth.of(2024, month));
                AccountStatement statement = AccountStatement.of(ledger, account.code(), days);

                assertEquals(balance, statement.opening());
                balance = statement.closing();
                for (AccountStatement.Line line : statement.lines()) {
                    assertTrue(days.contains(line.date()));
                }
            }
        }
    }
}
