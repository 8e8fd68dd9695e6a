package io.jetobench.ledgerline;

import java.util.Objects;

/**
 * An account of the chart.
 *
 * @param code its number
 * @param name what it is called
 * @param type which kind of account it is
 */
public record Account(AccountCode code, String name, AccountType type) {

    /** Checks that nothing is missing. */
    public Account {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(type, "type");
        if (name.isBlank()) {
            throw new LedgerException("account " + code + " needs a name");
        }
    }

    /** Creates an account from a code as people write it. */
    public static Account of(String code, String name, AccountType type) {
        return new Account(new AccountCode(code), name, type);
    }
}
