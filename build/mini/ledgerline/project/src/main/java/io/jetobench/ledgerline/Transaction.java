package io.jetobench.ledgerline;

import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

/**
 * Something that happened, with postings that add up to zero.
 *
 * @param date when it happened
 * @param description what happened
 * @param postings at least two
 */
public record Transaction(LocalDate date, String description, List<Posting> postings) {

    /**
     * Checks that the transaction balances.
     *
     * @throws LedgerException if it does not, or has fewer than two postings
     */
    public Transaction {
        Objects.requireNonNull(date, "date");
        Objects.requireNonNull(description, "description");
        postings = List.copyOf(postings);
        if (postings.size() < 2) {
            throw new LedgerException("a transaction needs two postings: " + description);
        }
        Money sum = Money.ZERO;
        for (Posting posting : postings) {
            sum = sum.plus(posting.amount());
        }
        if (!sum.isZero()) {
            throw new LedgerException("off balance by " + sum + ": " + description);
        }
    }
}
