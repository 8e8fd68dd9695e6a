package io.jetobench.formlet;

/** Ways of guarding a number against typing errors. Blanks between the characters do not count. */
public enum Checksums {
    /** The sum of all digits, every second one doubled, ends in 0: cards and many customer numbers. */
    LUHN {
        @Override
        public boolean isValid(String value) {
            int sum = 0;
            int digits = 0;
            for (int i = value.length() - 1; i >= 0; i--) {
                char c = value.charAt(i);
                if (c == ' ') {
                    continue;
                }
                if (c < '0' || c > '9') {
                    return false;
                }
                int weighted = digits % 2 == 0 ? c - '0' : 2 * (c - '0');
                sum += weighted > 9 ? weighted - 9 : weighted;
                digits++;
            }
            return digits > 1 && sum % 10 == 0;
        }
    },

    /** The country and check digits moved to the end, read as one number, leave 1 when divided by 97. */
    IBAN {
        private static final int MODULUS = 97;
        private static final int SHORTEST = 15;
        private static final int LONGEST = 34;
        private static final int MOVED = 4;

        @Override
        public boolean isValid(String value) {
            String compact = value.replace(" ", "");
            int length = compact.length();
            if (length < SHORTEST || length > LONGEST) {
                return false;
            }
            int remainder = 0;
            for (int i = 0; i < length; i++) {
                char c = compact.charAt((i + MOVED) % length);
                if (c >= '0' && c <= '9') {
                    remainder = (remainder * 10 + c - '0') % MODULUS;
                } else if (c >= 'A' && c <= 'Z') {
                    remainder = (remainder * 100 + c - 'A' + 10) % MODULUS;
                } else {
                    return false;
                }
            }
            return remainder == 1;
        }
    };

    public abstract boolean isValid(String value);
}
