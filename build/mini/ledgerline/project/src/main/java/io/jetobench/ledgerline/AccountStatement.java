package io.jetobench.ledgerline;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * What happened on an account, its parts included, in a span of days.
 *
 * @param account the account
 * @param opening the balance before the first day
 * @param lines the postings of those days, in the order in which they were booked
 * @param closing the balance after the last day
 */
public record AccountStatement(Account account, Money opening, List<Line> lines, Money closing) {

    /**
     * A posting.
     *
     * @param date the date of its transaction
     * @param description the description of its transaction
     * @param amount what was booked
     * @param balance the opening balance plus all lines up to this one
     */
    public record Line(LocalDate date, String description, Money amount, Money balance) {}

    /** Keeps a copy of the lines. */
    public AccountStatement {
        lines = List.copyOf(lines);
    }

    /**
     * Makes the statement of an account.
     *
     * @throws LedgerException if there is no such account
     */
    public static AccountStatement of(Ledger ledger, AccountCode code, DateRange days) {
        Account account = ledger.chart().get(code);
        Money opening = openingBalance(ledger, code, days.first());
        Money balance = opening;
        List<Line> lines = new ArrayList<>();
        for (Transaction transaction : ledger.transactions()) {
            if (!days.contains(transaction.date())) {
                continue;
            }
            for (Posting posting : transaction.postings()) {
                if (posting.account().isWithin(code)) {
                    balance = balance.plus(posting.amount());
                    lines.add(new Line(
                            transaction.date(), transaction.description(), posting.amount(), balance));
                }
            }
        }
        return new AccountStatement(account, opening, lines, balance);
    }

    private static Money openingBalance(Ledger ledger, AccountCode code, LocalDate firstDay) {
        Money balance = Money.ZERO;
        for (Transaction transaction : ledger.transactions()) {
            if (transaction.date().isBefore(firstDay)) {
                for (Posting posting : transaction.postings()) {
                    if (posting.account().isWithin(code)) {
                        balance = balance.plus(posting.amount());
                    }
                }
            }
        }
        return balance;
    }
}
