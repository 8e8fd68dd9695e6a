package io.jetobench.ledgerline;

import java.util.ArrayList;
import java.util.List;

/**
 * The balances of all accounts at one moment, those of parts rolled up into the whole.
 *
 * @param rows one for each account of the chart, in the order of the codes
 */
public record TrialBalance(List<Row> rows) {

    /**
     * The balance of an account.
     *
     * @param account the account
     * @param own the sum of the postings on this very account
     * @param total the same with all its parts
     */
    public record Row(Account account, Money own, Money total) {}

    /** Keeps a copy of the rows. */
    public TrialBalance {
        rows = List.copyOf(rows);
    }

    /** Takes the balances of a ledger. */
    public static TrialBalance of(Ledger ledger) {
        List<Row> rows = new ArrayList<>();
        for (Account account : ledger.chart().accounts()) {
            rows.add(new Row(account, ledger.balanceOf(account.code()), totalOf(account, ledger)));
        }
        return new TrialBalance(rows);
    }

    /** Returns the sum over all accounts, which is zero unless something is very wrong. */
    public Money sum() {
        Money sum = Money.ZERO;
        for (Row row : rows) {
            sum = sum.plus(row.own());
        }
        return sum;
    }

    /** Returns a table with code, name and total of each account whose total is not zero. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (Row row : rows) {
            if (!row.total().isZero()) {
                Account account = row.account();
                Money shown = account.type().display(row.total());
                out.append("%-12s %-24s %14s%n".formatted(account.code(), account.name(), shown));
            }
        }
        return out.toString();
    }

    private static Money totalOf(Account account, Ledger ledger) {
        Money total = Money.ZERO;
        for (Account other : ledger.chart().accounts()) {
            if (other.code().isWithin(account.code())) {
                total = total.plus(ledger.balanceOf(other.code()));
            }
        }
        return total;
    }
}
