package io.jetobench.formlet;

import java.util.List;

/** What a value has to fulfil, as it was written down. */
public sealed interface Rule {

    /** The value is not empty. */
    record Required() implements Rule {}

    /** The number of characters lies between two bounds, both included. */
    record Length(int min, int max) implements Rule {}

    /** The value is a whole number between two bounds, both included. */
    record Range(long min, long max) implements Rule {}

    /** The whole value matches a regular expression. */
    record Matches(String regex) implements Rule {}

    /** The value is one of those listed. */
    record OneOf(List<String> values) implements Rule {

        public OneOf {
            values = List.copyOf(values);
        }
    }

    /** The value's check digits are right. */
    record CheckDigits(Checksums algorithm) implements Rule {}

    /** All parts are fulfilled. */
    record AllOf(List<Rule> parts) implements Rule {

        public AllOf {
            parts = List.copyOf(parts);
        }
    }

    /** At least one part is fulfilled. */
    record AnyOf(List<Rule> parts) implements Rule {

        public AnyOf {
            parts = List.copyOf(parts);
        }
    }

    /** The rule inside is broken. */
    record Not(Rule rule) implements Rule {}
}
