package io.jetobench.ledgerline;

import java.util.Objects;

/**
 * One side of a transaction.
 *
 * @param account the account that is booked on
 * @param amount positive for a debit, negative for a credit
 */
public record Posting(AccountCode account, Money amount) {

    /** Checks that nothing is missing. */
    public Posting {
        Objects.requireNonNull(account, "account");
        Objects.requireNonNull(amount, "amount");
    }

    /** Creates a posting from a code and an amount as people write them. */
    public static Posting of(String account, String amount) {
        return new Posting(new AccountCode(account), Money.parse(amount));
    }
}
