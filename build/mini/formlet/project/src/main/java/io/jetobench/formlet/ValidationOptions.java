package io.jetobench.formlet;

/**
 * How strictly values are looked at.
 *
 * @param ignoreCase whether upper and lower case are the same to {@code matches} and {@code oneOf}
 * @param trim       whether blanks around a value are left out before it is checked
 */
public record ValidationOptions(boolean ignoreCase, boolean trim) {

    public static final ValidationOptions STRICT = new ValidationOptions(false, false);

    public static final ValidationOptions LENIENT = new ValidationOptions(true, true);
}
