package io.jetobench.cargoboard.model;

/**
 * A container's number as ISO 6346 has it: three letters for the owner, {@code U}, six digits and a check digit.
 *
 * @param owner  the owner's three letters and the category, such as {@code CSQU}
 * @param serial the six digits as a number
 */
public record ContainerNumber(String owner, int serial) {

    private static final int OWNER_LENGTH = 4;
    private static final int SERIAL_DIGITS = 6;
    private static final int MAX_SERIAL = 999_999;
    private static final int MODULUS = 11;

    public ContainerNumber {
        if (owner.length() != OWNER_LENGTH || owner.charAt(OWNER_LENGTH - 1) != 'U') {
            throw new IllegalArgumentException("Not a container owner: " + owner);
        }
        for (int i = 0; i < OWNER_LENGTH; i++) {
            if (owner.charAt(i) < 'A' || owner.charAt(i) > 'Z') {
                throw new IllegalArgumentException("Not a container owner: " + owner);
            }
        }
        if (serial < 0 || serial > MAX_SERIAL) {
            throw new IllegalArgumentException("Not a container serial: " + serial);
        }
    }

    /**
     * Reads a number such as {@code CSQU3054383}.
     *
     * @throws IllegalArgumentException if it is malformed or its check digit is wrong
     */
    public static ContainerNumber parse(String text) {
        if (text.length() != OWNER_LENGTH + SERIAL_DIGITS + 1) {
            throw new IllegalArgumentException("Not a container number: " + text);
        }
        int serial = 0;
        for (int i = OWNER_LENGTH; i < OWNER_LENGTH + SERIAL_DIGITS; i++) {
            serial = serial * 10 + digit(text, i);
        }
        ContainerNumber number = new ContainerNumber(text.substring(0, OWNER_LENGTH), serial);
        if (digit(text, OWNER_LENGTH + SERIAL_DIGITS) != number.checkDigit()) {
            throw new IllegalArgumentException("Wrong check digit: " + text);
        }
        return number;
    }

    private static int digit(String text, int index) {
        int digit = text.charAt(index) - '0';
        if (digit < 0 || digit > 9) {
            throw new IllegalArgumentException("Not a container number: " + text);
        }
        return digit;
    }

    /** The digit that follows the serial: the sum of all characters' values, weighted by powers of two, modulo 11. */
    public int checkDigit() {
        int sum = 0;
        for (int i = 0; i < OWNER_LENGTH; i++) {
            sum += letterValue(owner.charAt(i)) << i;
        }
        int rest = serial;
        for (int i = OWNER_LENGTH + SERIAL_DIGITS - 1; i >= OWNER_LENGTH; i--) {
            sum += rest % 10 << i;
            rest /= 10;
        }
        return sum % MODULUS % 10;
    }

    /** Letters count up from 10, leaving out the multiples of 11. */
    private static int letterValue(char letter) {
        int value = letter - 'A' + 10;
        return value + (value - 1) / 10;
    }

    @Override
    public String toString() {
        String digits = Integer.toString(MAX_SERIAL + 1 + serial).substring(1);
        return owner + digits + checkDigit();
    }
}
