package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private static final LocalDate DAY = LocalDate.of(2024, 5, 1);

    private final Ledger ledger = new Ledger(SampleBooks.chart());

    @Test
    void refusesTransactionsThatDoNotBalance() {
        assertThrows(LedgerException.class, () -> book("1000", "1.00", "3000", "-1.01"));
        assertThrows(
                LedgerException.class, () -> new Transaction(DAY, "alone", List.of(Posting.of("1000", "0.00"))));
    }

    @Test
    void booksNothingIfAnAccountIsMissing() {
        assertThrows(LedgerException.class, () -> book("1000", "1.00", "9999", "-1.00"));

        assertTrue(ledger.transactions().isEmpty());
        assertEquals(Money.ZERO, ledger.balanceOf(new AccountCode("1000")));
    }

    @Test
    void keepsTheBalanceOfEachAccountApart() {
        book("1000.10", "5.00", "3000", "-5.00");
        book("1000", "1.00", "1000.10", "-1.00");

        assertEquals(Money.parse("1.00"), ledger.balanceOf(new AccountCode("1000")));
        assertEquals(Money.parse("4.00"), ledger.balanceOf(new AccountCode("1000.10")));
        assertThrows(LedgerException.class, () -> ledger.balanceOf(new AccountCode("9999")));
    }

    @Test
    void addsUpWhatWasBooked() {
        for (int seed = 0; seed < 40; seed++) {
            List<Transaction> transactions = SampleBooks.transactions(200, new Random(seed));
            Ledger books = SampleBooks.ledger(transactions);
            assertEquals(transactions, books.transactions());
            for (Account account : books.chart().accounts()) {
                long expected = transactions.stream()
                        .flatMap(transaction -> transaction.postings().stream())
                        .filter(posting -> posting.account().equals(account.code()))
                        .mapToLong(posting -> posting.amount().cents())
                        .sum();
                assertEquals(expected, books.balanceOf(account.code()).cents());
            }
        }
    }

    @Test
    void carriesTheBalanceForwardInAStatement() {
        book("1000.10.1", "10.00", "3000", "-10.00");
        ledger.post(new Transaction(
                DAY.plusDays(1), "rent", List.of(Posting.of("6000", "4.00"), Posting.of("1000.20", "-4.00"))));
        AccountStatement statement = AccountStatement.of(
                ledger, new AccountCode("1000"), new DateRange(DAY.plusDays(1), DAY.plusDays(1)));

        assertEquals(Money.parse("10.00"), statement.opening());
        assertEquals(Money.parse("6.00"), statement.closing());
        assertEquals(
                List.of(new AccountStatement.Line(
                        DAY.plusDays(1), "rent", Money.parse("-4.00"), Money.parse("6.00"))),
                statement.lines());
    }

    @Test
    void refusesStatementsOfUnknownAccountsAndEmptySpans() {
        assertThrows(
                LedgerException.class,
                () -> AccountStatement.of(ledger, new AccountCode("7"), new DateRange(DAY, DAY)));
        assertThrows(IllegalArgumentException.class, () -> new DateRange(DAY, DAY.minusDays(1)));
    }

    private void book(String debited, String debit, String credited, String credit) {
        ledger.post(new Transaction(
                DAY, "booking", List.of(Posting.of(debited, debit), Posting.of(credited, credit))));
    }
}
