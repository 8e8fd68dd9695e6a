package io.jetobench.ledgerline;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A chart with a dozen accounts and random transactions on it, for tests. */
final class SampleBooks {

    private SampleBooks() {}

    static ChartOfAccounts chart() {
        return new ChartOfAccounts()
                .add(Account.of("1000", "Assets", AccountType.ASSET))
                .add(Account.of("1000.10", "Bank", AccountType.ASSET))
                .add(Account.of("1000.10.1", "Current account", AccountType.ASSET))
                .add(Account.of("1000.10.2", "Savings", AccountType.ASSET))
                .add(Account.of("1000.20", "Cash", AccountType.ASSET))
                .add(Account.of("2000", "Loans", AccountType.LIABILITY))
                .add(Account.of("3000", "Capital", AccountType.EQUITY))
                .add(Account.of("4000", "Sales", AccountType.INCOME))
                .add(Account.of("4000.1", "Sales at home", AccountType.INCOME))
                .add(Account.of("4000.2", "Sales abroad", AccountType.INCOME))
                .add(Account.of("6000", "Rent", AccountType.EXPENSE))
                .add(Account.of("6100", "Wages", AccountType.EXPENSE));
    }

    /** Returns transactions of the year 2024 with two to four postings each. */
    static List<Transaction> transactions(int count, Random random) {
        List<AccountCode> codes = new ArrayList<>();
        for (Account account : chart().accounts()) {
            codes.add(account.code());
        }
        LocalDate firstDay = LocalDate.of(2024, 1, 1);
        List<Transaction> transactions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Posting> postings = new ArrayList<>();
            long rest = 0;
            for (int j = 1 + random.nextInt(3); j > 0; j--) {
                long cents = random.nextInt(200_001) - 100_000;
                postings.add(new Posting(codes.get(random.nextInt(codes.size())), new Money(cents)));
                rest -= cents;
            }
            postings.add(new Posting(codes.get(random.nextInt(codes.size())), new Money(rest)));
            transactions.add(new Transaction(firstDay.plusDays(random.nextInt(366)), "booking " + i, postings));
        }
        return transactions;
    }

    static Ledger ledger(List<Transaction> transactions) {
        Ledger ledger = new Ledger(chart());
        for (Transaction transaction : transactions) {
            ledger.post(transaction);
        }
        return ledger;
    }
}
