package io.jetobench.formlet;

/**
 * Writes and reads amounts of money that are kept in the currency's smallest unit.
 *
 * @param group    what separates groups of three digits
 * @param point    what separates the decimals
 * @param decimals number of decimals, 0 to 4
 */
public record AmountFormat(char group, char point, int decimals) {

    private static final int MAX_DECIMALS = 4;
    private static final int GROUP_SIZE = 3;
    private static final int MAX_LENGTH = 32;

    public AmountFormat {
        if (decimals < 0 || decimals > MAX_DECIMALS) {
            throw new IllegalArgumentException("Cannot write " + decimals + " decimals");
        }
        if (group == point || isDigit(group) || isDigit(point) || group == '-' || point == '-') {
            throw new IllegalArgumentException("Ambiguous separators: " + group + " and " + point);
        }
    }

    /** The amount with all its decimals, such as {@code -1.234,50} for -123450. */
    public String format(long amount) {
        char[] buffer = new char[MAX_LENGTH];
        int start = MAX_LENGTH;
        long rest = amount;
        for (int written = 0; rest != 0 || written <= decimals; written++) {
            int whole = written - decimals;
            if (decimals > 0 && whole == 0) {
                buffer[--start] = point;
            } else if (whole > 0 && whole % GROUP_SIZE == 0) {
                buffer[--start] = group;
            }
            buffer[--start] = (char) ('0' + Math.abs(rest % 10));
            rest /= 10;
        }
        if (amount < 0) {
            buffer[--start] = '-';
        }
        return new String(buffer, start, MAX_LENGTH - start);
    }

    /**
     * Reads an amount. Separators of groups may be left out or stand anywhere before the point.
     *
     * @throws NumberFormatException if the text is not an amount with the right number of decimals
     */
    public long parse(String text) {
        boolean negative = text.startsWith("-");
        int point = decimals == 0 ? text.length() : text.length() - decimals - 1;
        if (point <= (negative ? 1 : 0) || (decimals > 0 && text.charAt(point) != this.point)) {
            throw new NumberFormatException("Not an amount: " + text);
        }
        long amount = 0;
        for (int i = negative ? 1 : 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isDigit(c)) {
                // Counting down covers Long.MIN_VALUE, which has no positive counterpart.
                amount = Math.subtractExact(Math.multiplyExact(amount, 10L), c - '0');
            } else if (i != point && !(c == group && i < point)) {
                throw new NumberFormatException("Not an amount: " + text);
            }
        }
        return negative ? amount : Math.negateExact(amount);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
