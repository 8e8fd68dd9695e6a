package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleParserTest {

    private static final Rule REQUIRED = new Rule.Required();
    private static final Rule LUHN = new Rule.CheckDigits(Checksums.LUHN);
    private static final Rule IBAN = new Rule.CheckDigits(Checksums.IBAN);

    @Test
    void readsEveryKindOfRule() {
        assertEquals(REQUIRED, RuleParser.parse("required"));
        assertEquals(new Rule.Length(2, 40), RuleParser.parse(" length( 2 ,40 ) "));
        assertEquals(new Rule.Range(-5, 7), RuleParser.parse("range(-5, 7)"));
        assertEquals(new Rule.Matches("[A-Z]+"), RuleParser.parse("matches('[A-Z]+')"));
        assertEquals(new Rule.OneOf(List.of("a", "it's", "")), RuleParser.parse("oneOf('a', 'it''s', '')"));
        assertEquals(LUHN, RuleParser.parse("luhn"));
        assertEquals(IBAN, RuleParser.parse("iban"));
    }

    @Test
    void bindsNotTighterThanAndTighterThanOr() {
        Rule expected = new Rule.AnyOf(List.of(new Rule.AllOf(List.of(new Rule.Not(REQUIRED), LUHN)), IBAN));

        assertEquals(expected, RuleParser.parse("!required & luhn | iban"));
    }

    @Test
    void honoursBrackets() {
        Rule expected = new Rule.AllOf(List.of(REQUIRED, new Rule.Not(new Rule.AnyOf(List.of(LUHN, IBAN)))));

        assertEquals(expected, RuleParser.parse("required & !(luhn | iban)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; 0",
                "needed; 0",
                "required &; 10",
                "required luhn; 9",
                "(required; 9",
                "length(2); 8",
                "length(2, x); 10",
                "oneOf('a', 'b; 13",
                "matches('['); 8"
            })
    void saysWhereAMistakeIs(String text, int position) {
        RuleSyntaxException mistake = assertThrows(RuleSyntaxException.class, () -> RuleParser.parse(text));

        assertEquals(position, mistake.position());
    }

    @ParameterizedTest
    @ValueSource(strings = {"length(5, 2)", "length(-1, 2)", "range(1, 0)", "length(0, 99999999999)"})
    void refusesBoundsThatNothingCanMeet(String text) {
        assertThrows(RuleSyntaxException.class, () -> RuleParser.parse(text));
    }

    @Test
    void readsBackAnyRuleThatIsWrittenDown() {
        Random random = new Random(21);
        for (int i = 0; i < 4_000; i++) {
            Rule rule = randomRule(random, 4);

            assertEquals(rule, RuleParser.parse(written(rule)));
        }
    }

    private static Rule randomRule(Random random, int depth) {
        int kind = depth == 0 ? 3 + random.nextInt(4) : random.nextInt(7);
        return switch (kind) {
            case 0 -> new Rule.Not(randomRule(random, depth - 1));
            case 1 -> new Rule.AllOf(randomRules(random, depth - 1));
            case 2 -> new Rule.AnyOf(randomRules(random, depth - 1));
            case 3 -> new Rule.Length(random.nextInt(10), 10 + random.nextInt(10));
            case 4 -> new Rule.Range(random.nextInt(100) - 200, random.nextInt(100));
            case 5 -> new Rule.OneOf(List.of("x" + random.nextInt(10), "it's"));
            default -> REQUIRED;
        };
    }

    private static List<Rule> randomRules(Random random, int depth) {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(2); i++) {
            rules.add(randomRule(random, depth));
        }
        return rules;
    }

    private static String written(Rule rule) {
        return switch (rule) {
            case Rule.Required() -> "required";
            case Rule.Length(int min, int max) -> "length(" + min + "," + max + ")";
            case Rule.Range(long min, long max) -> "range(" + min + ", " + max + ")";
            case Rule.Matches(String regex) -> "matches(" + quoted(regex) + ")";
            case Rule.OneOf(List<String> values) -> values.stream()
                    .map(RuleParserTest::quoted)
                    .collect(Collectors.joining(", ", "oneOf(", ")"));
            case Rule.CheckDigits(Checksums algorithm) -> algorithm == Checksums.LUHN ? "luhn" : "iban";
            case Rule.AllOf(List<Rule> parts) -> joined(parts, " & ");
            case Rule.AnyOf(List<Rule> parts) -> joined(parts, " | ");
            case Rule.Not(Rule inner) -> "!" + written(inner);
        };
    }

    private static String joined(List<Rule> parts, String operator) {
        return parts.stream().map(RuleParserTest::written).collect(Collectors.joining(operator, "(", ")"));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
