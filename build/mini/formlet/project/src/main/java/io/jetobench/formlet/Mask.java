package io.jetobench.formlet;

import java.util.Optional;

/**
 * The shape of a number or code: {@code A} stands for a letter, {@code 9} for a digit, anything else for itself.
 *
 * <p>What people type is forgiven blanks, missing separators and lower case.
 */
public final class Mask {

    private final String shape;

    private Mask(String shape) {
        this.shape = shape;
    }

    public static Mask of(String shape) {
        if (shape.isEmpty()) {
            throw new IllegalArgumentException("A mask needs a shape");
        }
        return new Mask(shape);
    }

    /** What was typed in the shape of the mask; nothing if it does not fit. */
    public Optional<String> apply(String typed) {
        StringBuilder out = new StringBuilder(shape.length());
        int next = skipBlanks(typed, 0);
        for (int i = 0; i < shape.length(); i++) {
            char wanted = shape.charAt(i);
            char c = next < typed.length() ? toUpper(typed.charAt(next)) : 0;
            boolean placeholder = wanted == 'A' || wanted == '9';
            if (placeholder && !fits(wanted, c)) {
                return Optional.empty();
            }
            out.append(placeholder ? c : wanted);
            if (placeholder || c == wanted) {
                next = skipBlanks(typed, next + 1);
            }
        }
        return next >= typed.length() ? Optional.of(out.toString()) : Optional.empty();
    }

    private static boolean fits(char wanted, char c) {
        return wanted == 'A' ? c >= 'A' && c <= 'Z' : c >= '0' && c <= '9';
    }

    private static char toUpper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
    }

    private static int skipBlanks(String text, int from) {
        int position = from;
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
        return position;
    }
}
