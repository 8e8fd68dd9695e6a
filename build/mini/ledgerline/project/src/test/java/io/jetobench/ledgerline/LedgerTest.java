package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private static final LocalDate DAY = LocalDate.of(2024, 5, 1);

    private final Ledger ledger = new Ledger(SampleBooks.chart());

    @Test
    void refusesTransactionsThatDoNotBalance() {
        for (String amount : List.of("-1.01", "1.00", "0.00")) {
            assertThrows(LedgerException.class, () -> book("1000", "1.00", "3000", amount), amount);
        }
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
        List<Transaction> transactions = SampleBooks.transactions(20, new Random(1));
        Ledger books = SampleBooks.ledger(transactions);

        assertEquals(transactions, books.transactions());
        for (Account account : books.chart().accounts()) {
            assertEquals(sumOf(account.code(), transactions), books.balanceOf(account.code()).cents());
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
        assertEquals(1, statement.lines().size());
        assertEquals("rent", statement.lines().get(0).description());
        assertEquals(Money.parse("-4.00"), statement.lines().get(0).amount());
        assertEquals(Money.parse("6.00"), statement.lines().get(0).balance());
    }

    @Test
    void refusesStatementsOfUnknownAccountsAndEmptySpans() {
        assertThrows(
                LedgerException.class,
                () -> AccountStatement.of(ledger, new AccountCode("7"), new DateRange(DAY, DAY)));
        assertThrows(IllegalArgumentException.class, () -> new DateRange(DAY, DAY.minusDays(1)));
    }

    private static long sumOf(AccountCode code, List<Transaction> transactions) {
        long sum = 0;
        for (Transaction transaction : transactions) {
            for (Posting posting : transaction.postings()) {
                sum += posting.account().equals(code) ? posting.amount().cents() : 0;
            }
        }
        return sum;
    }

    /** Books amounts, each after the code of its account, in one transaction. */
    private void book(String... codesAndAmounts) {
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < codesAndAmounts.length; i += 2) {
            postings.add(Posting.of(codesAndAmounts[i], codesAndAmounts[i + 1]));
        }
        ledger.post(new Transaction(DAY, "booking", postings));
    }
}
