package io.jetobench.formlet;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Reads rules such as {@code required & (length(8, 19) | matches('[A-Z]+'))}.
 *
 * <p>{@code !} binds tighter than {@code &}, and {@code &} tighter than {@code |}. Text stands in single quotes; a quote
 * within it is written twice.
 */
public final class RuleParser {

    private final String text;
    private int position;

    private RuleParser(String text) {
        this.text = text;
    }

    /**
     * Parses a rule.
     *
     * @throws RuleSyntaxException if the text is not a rule
     */
    public static Rule parse(String text) {
        RuleParser parser = new RuleParser(text);
        Rule rule = parser.anyOf();
        if (parser.position < text.length()) {
            throw parser.problem("Unexpected character");
        }
        return rule;
    }

    private Rule anyOf() {
        List<Rule> parts = new ArrayList<>();
        do {
            parts.add(allOf());
        } while (accept('|'));
        return parts.size() == 1 ? parts.getFirst() : new Rule.AnyOf(parts);
    }

    private Rule allOf() {
        List<Rule> parts = new ArrayList<>();
        do {
            parts.add(unary());
        } while (accept('&'));
        return parts.size() == 1 ? parts.getFirst() : new Rule.AllOf(parts);
    }

    private Rule unary() {
        if (accept('!')) {
            return new Rule.Not(unary());
        }
        if (accept('(')) {
            Rule inner = anyOf();
            expect(')');
            return inner;
        }
        return call();
    }

    private Rule call() {
        int start = position;
        String name = name();
        Rule rule =
                switch (name) {
                    case "required" -> new Rule.Required();
                    case "length" -> length();
                    case "range" -> range();
                    case "matches" -> matches();
                    case "oneOf" -> oneOf();
                    case "luhn" -> new Rule.CheckDigits(Checksums.LUHN);
                    case "iban" -> new Rule.CheckDigits(Checksums.IBAN);
                    default -> throw new RuleSyntaxException("Unknown rule '" + name + "'", text, start);
                };
        skipBlanks();
        return rule;
    }

    private Rule length() {
        expect('(');
        long min = number();
        expect(',');
        long max = number();
        expect(')');
        if (min < 0 || max < min || max > Integer.MAX_VALUE) {
            throw problem("Bounds that nothing can meet");
        }
        return new Rule.Length((int) min, (int) max);
    }

    private Rule range() {
        expect('(');
        long min = number();
        expect(',');
        long max = number();
        expect(')');
        if (max < min) {
            throw problem("Bounds that nothing can meet");
        }
        return new Rule.Range(min, max);
    }

    private Rule matches() {
        expect('(');
        int start = position;
        String regex = quoted();
        expect(')');
        try {
            Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new RuleSyntaxException("Not a regular expression (" + e.getDescription() + ")", text, start);
        }
        return new Rule.Matches(regex);
    }

    private Rule oneOf() {
        expect('(');
        List<String> values = new ArrayList<>();
        do {
            values.add(quoted());
        } while (accept(','));
        expect(')');
        return new Rule.OneOf(values);
    }

    private String name() {
        skipBlanks();
        int start = position;
        while (position < text.length() && Character.isLetter(text.charAt(position))) {
            position++;
        }
        if (start == position) {
            throw problem("A rule is missing");
        }
        return text.substring(start, position);
    }

    private long number() {
        skipBlanks();
        int start = position;
        if (position < text.length() && text.charAt(position) == '-') {
            position++;
        }
        while (position < text.length() && Character.isDigit(text.charAt(position))) {
            position++;
        }
        try {
            return Long.parseLong(text, start, position, 10);
        } catch (NumberFormatException e) {
            throw new RuleSyntaxException("A number is missing", text, start);
        }
    }

    private String quoted() {
        expect('\'');
        StringBuilder content = new StringBuilder();
        while (position < text.length()) {
            char c = text.charAt(position++);
            if (c != '\'') {
                content.append(c);
            } else if (position < text.length() && text.charAt(position) == '\'') {
                content.append(c);
                position++;
            } else {
                return content.toString();
            }
        }
        throw problem("A closing quote is missing");
    }

    private boolean accept(char wanted) {
        skipBlanks();
        if (position < text.length() && text.charAt(position) == wanted) {
            position++;
            return true;
        }
        return false;
    }

    private void expect(char wanted) {
        if (!accept(wanted)) {
            throw problem("Expected '" + wanted + "'");
        }
    }

    private void skipBlanks() {
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
    }

    private RuleSyntaxException problem(String what) {
        return new RuleSyntaxException(what, text, position);
    }
}
