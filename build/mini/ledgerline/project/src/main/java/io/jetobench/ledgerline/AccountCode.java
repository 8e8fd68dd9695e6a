package io.jetobench.ledgerline;

import java.util.Optional;

/**
 * The number of an account: groups of digits separated by points, where {@code 1000.20} is a part of
 * {@code 1000}.
 *
 * <p>In the natural order an account comes before its parts, and they stand together.
 *
 * @param value the code as people write it
 */
public record AccountCode(String value) implements Comparable<AccountCode> {

    private static final char SEPARATOR = '.';

    /** Checks the code. */
    public AccountCode {
        boolean groupOpen = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (!digit && !(c == SEPARATOR && groupOpen)) {
                throw new LedgerException("not an account code: '" + value + "'");
            }
            groupOpen = digit;
        }
        if (!groupOpen) {
            throw new LedgerException("not an account code: '" + value + "'");
        }
    }

    /** Returns the account that this one is a direct part of, if any. */
    public Optional<AccountCode> parent() {
        int end = value.lastIndexOf(SEPARATOR);
        return end < 0 ? Optional.empty() : Optional.of(new AccountCode(value.substring(0, end)));
    }

    /** Whether this is the other account or a part of it, direct or not. */
    public boolean isWithin(AccountCode other) {
        int length = other.value.length();
        return value.startsWith(other.value)
                && (value.length() == length || value.charAt(length) == SEPARATOR);
    }

    @Override
    public int compareTo(AccountCode other) {
        return value.compareTo(other.value); // a point sorts before every digit
    }

    @Override
    public String toString() {
        return value;
    }
}
