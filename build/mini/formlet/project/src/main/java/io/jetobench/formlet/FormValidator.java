package io.jetobench.formlet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Checks values against the rules of a form. */
public final class FormValidator {

    private final RuleBook book;
    private final ValidationOptions options;

    public FormValidator(RuleBook book, ValidationOptions options) {
        this.book = Objects.requireNonNull(book, "book");
        this.options = Objects.requireNonNull(options, "options");
    }

    /**
     * Checks the value of one field.
     *
     * @return what is wrong with it, or nothing
     * @throws IllegalArgumentException if the form has no such field
     */
    public Optional<Violation> check(String field, String value) {
        Check check = RuleCompiler.compile(RuleParser.parse(book.ruleOf(field)), options);
        return check.problemWith(options.trim() ? value.strip() : value)
                .map(message -> new Violation(field, message));
    }

    /**
     * Checks a whole form. A field that has no value counts as empty, and values of unknown fields are left alone.
     *
     * @return all violations in the order of the book
     */
    public List<Violation> checkAll(Map<String, String> values) {
        List<Violation> violations = new ArrayList<>();
        for (String field : book.fields()) {
            check(field, values.getOrDefault(field, "")).ifPresent(violations::add);
        }
        return violations;
    }
}
