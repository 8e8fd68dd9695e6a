package io.jetobench.formlet;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Turns rules into checks that follow the given options. */
final class RuleCompiler {

    private final ValidationOptions options;

    private RuleCompiler(ValidationOptions options) {
        this.options = options;
    }

    static Check compile(Rule rule, ValidationOptions options) {
        return new RuleCompiler(options).check(rule);
    }

    private Check check(Rule rule) {
        return switch (rule) {
            case Rule.Required() -> check(value -> !value.isEmpty(), "is required");
            case Rule.Length(int min, int max) -> optional(
                    value -> value.length() >= min && value.length() <= max,
                    "must have " + min + " to " + max + " characters");
            case Rule.Range(long min, long max) -> optional(
                    value -> isNumberBetween(value, min, max), "must be a number from " + min + " to " + max);
            case Rule.Matches(String regex) -> optional(pattern(regex).asMatchPredicate(), "must look like " + regex);
            case Rule.OneOf(List<String> values) -> optional(
                    members(values)::contains, "must be one of " + String.join(", ", values));
            case Rule.CheckDigits(Checksums algorithm) -> optional(algorithm::isValid, "has a typing error");
            case Rule.AllOf(List<Rule> parts) -> allOf(checks(parts));
            case Rule.AnyOf(List<Rule> parts) -> anyOf(checks(parts));
            case Rule.Not(Rule inner) -> not(check(inner));
        };
    }

    private Check[] checks(List<Rule> rules) {
        return rules.stream().map(this::check).toArray(Check[]::new);
    }

    private Pattern pattern(String regex) {
        return Pattern.compile(regex, options.ignoreCase() ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
    }

    private Set<String> members(List<String> values) {
        Set<String> members = options.ignoreCase() ? new TreeSet<>(String.CASE_INSENSITIVE_ORDER) : new TreeSet<>();
        members.addAll(values);
        return members;
    }

    private static Check check(Predicate<String> right, String message) {
        Optional<String> problem = Optional.of(message);
        return value -> right.test(value) ? Optional.empty() : problem;
    }

    /** A check that leaves empty values alone. */
    private static Check optional(Predicate<String> right, String message) {
        return check(value -> value.isEmpty() || right.test(value), message);
    }

    private static Check allOf(Check[] parts) {
        return value -> {
            for (Check part : parts) {
                Optional<String> problem = part.problemWith(value);
                if (problem.isPresent()) {
                    return problem;
                }
            }
            return Optional.empty();
        };
    }

    private static Check anyOf(Check[] parts) {
        return value -> {
            Optional<String> firstProblem = Optional.empty();
            for (Check part : parts) {
                Optional<String> problem = part.problemWith(value);
                if (problem.isEmpty()) {
                    return problem;
                }
                firstProblem = firstProblem.or(() -> problem);
            }
            return firstProblem;
        };
    }

    private static Check not(Check inner) {
        return optional(value -> inner.problemWith(value).isPresent(), "is not allowed");
    }

    private static boolean isNumberBetween(String value, long min, long max) {
        try {
            long number = Long.parseLong(value);
            return number >= min && number <= max;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
