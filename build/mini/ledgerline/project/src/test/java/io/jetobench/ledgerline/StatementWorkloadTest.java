package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Month;
import java.time.YearMonth;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Prints statements of an account, month by month, as often as a busy office asks for them. */
class StatementWorkloadTest {

    private static final int TRANSACTIONS = 300;
    private static final int ROUNDS = 150;

    @Test
    void makesStatementsOfAYear() {
        List<Transaction> transactions = SampleBooks.transactions(TRANSACTIONS, new Random(29));
        Ledger ledger = SampleBooks.ledger(transactions);
        AccountCode bank = new AccountCode("1000.10");
        for (int round = 0; round < ROUNDS; round++) {
            Money balance = Money.ZERO;
            for (Month month : Month.values()) {
                DateRange days = DateRange.of(YearMonth.of(2024, month));
                AccountStatement statement = AccountStatement.of(ledger, bank, days);

                assertEquals(balance, statement.opening());
                balance = statement.closing();
                for (AccountStatement.Line line : statement.lines()) {
                    assertTrue(days.contains(line.date()));
                }
            }
        }
    }
}
