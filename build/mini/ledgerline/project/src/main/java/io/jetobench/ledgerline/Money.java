package io.jetobench.ledgerline;

/**
 * An amount in the currency of the ledger.
 *
 * @param cents hundredths, negative for credits
 */
public record Money(long cents) implements Comparable<Money> {

    /** Nothing. */
    public static final Money ZERO = new Money(0);

    /**
     * Reads an amount such as {@code 1200.00} or {@code -0.05}; the two decimals are required.
     *
     * @throws LedgerException if the text is something else
     */
    public static Money parse(String text) {
        boolean negative = text.startsWith("-");
        int start = negative ? 1 : 0;
        int point = text.length() - 3;
        if (point <= start || text.charAt(point) != '.') {
            throw new LedgerException("not an amount: '" + text + "'");
        }
        long cents = 0;
        for (int i = start; i < text.length(); i++) {
            if (i != point) {
                cents = Math.addExact(Math.multiplyExact(cents, 10L), digit(text, i));
            }
        }
        return new Money(negative ? -cents : cents);
    }

    public Money plus(Money other) {
        return new Money(Math.addExact(cents, other.cents));
    }

    public Money minus(Money other) {
        return new Money(Math.subtractExact(cents, other.cents));
    }

    public Money negate() {
        return new Money(Math.negateExact(cents));
    }

    public boolean isZero() {
        return cents == 0;
    }

    /**
     * Divides this amount in proportion to weights, to the cent. The shares add up to the amount; cents
     * that are left over go to the first shares.
     *
     * @throws IllegalArgumentException if a weight is negative or all are zero
     */
    public Money[] allocate(int... weights) {
        long sum = 0;
        for (int weight : weights) {
            if (weight < 0) {
                throw new IllegalArgumentException("negative weight " + weight);
            }
            sum += weight;
        }
        if (sum == 0) {
            throw new IllegalArgumentException("no weights");
        }
        Money[] shares = new Money[weights.length];
        long rest = cents;
        for (int i = 0; i < weights.length; i++) {
            long share = Math.multiplyExact(cents, (long) weights[i]) / sum;
            shares[i] = new Money(share);
            rest -= share;
        }
        for (int i = 0; rest != 0; i++) {
            if (weights[i] > 0) {
                shares[i] = new Money(shares[i].cents + Long.signum(rest));
                rest -= Long.signum(rest);
            }
        }
        return shares;
    }

    /** Divides and rounds to the nearest integer, halves to the even one; the divisor is positive. */
    static long divideHalfEven(long dividend, long divisor) {
        long quotient = Math.floorDiv(dividend, divisor);
        long rest = dividend - quotient * divisor;
        long other = divisor - rest;
        boolean up = rest > other || rest == other && (quotient & 1) == 1;
        return up ? quotient + 1 : quotient;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public String toString() {
        long whole = Math.abs(cents / 100);
        long rest = Math.abs(cents % 100);
        return (cents < 0 ? "-" : "") + whole + (rest < 10 ? ".0" : ".") + rest;
    }

    private static int digit(String text, int index) {
        char c = text.charAt(index);
        if (c < '0' || c > '9') {
            throw new LedgerException("not an amount: '" + text + "'");
        }
        return c - '0';
    }
}
