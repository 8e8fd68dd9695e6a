package io.jetobench.formlet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The rules of a form: one for every field. */
public final class RuleBook {

    private final Map<String, String> rules;

    private RuleBook(Map<String, String> rules) {
        this.rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The fields in the order in which they were added. */
    public Set<String> fields() {
        return rules.keySet();
    }

    /**
     * The text of a field's rule.
     *
     * @throws IllegalArgumentException if the form has no such field
     */
    public String ruleOf(String field) {
        String rule = rules.get(field);
        if (rule == null) {
            throw new IllegalArgumentException("No such field: " + field);
        }
        return rule;
    }

    /** The whole book for people to read, one field a line. */
    public String describe() {
        String text = "";
        for (Map.Entry<String, String> entry : rules.entrySet()) {
            text += entry.getKey() + ": " + entry.getValue() + "\n";
        }
        return text;
    }

    /** Collects the fields of a book. */
    public static final class Builder {

        private final Map<String, String> rules = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Adds a field.
         *
         * @throws RuleSyntaxException      if the text is not a rule
         * @throws IllegalArgumentException if the field has a rule already
         */
        public Builder field(String name, String rule) {
            RuleParser.parse(rule);
            if (rules.putIfAbsent(name, rule) != null) {
                throw new IllegalArgumentException("Two rules for field " + name);
            }
            return this;
        }

        public RuleBook build() {
            return new RuleBook(rules);
        }
    }
}
