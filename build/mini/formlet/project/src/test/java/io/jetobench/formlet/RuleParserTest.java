package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

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

    @Test
    void readsRulesWithinRules() {
        Rule inner = new Rule.AnyOf(List.of(new Rule.OneOf(List.of("it's")), new Rule.AllOf(List.of(LUHN, IBAN))));
        Rule expected = new Rule.Not(new Rule.AllOf(List.of(inner, new Rule.Not(new Rule.Not(REQUIRED)))));

        assertEquals(expected, RuleParser.parse("!((oneOf('it''s') | (luhn & iban)) & !!required)"));
    }

    @Test
    void saysWhereAMistakeIs() {
        assertMistake(0, "");
        assertMistake(0, "needed");
        assertMistake(10, "required &");
        assertMistake(9, "required luhn");
        assertMistake(9, "(required");
        assertMistake(8, "length(2)");
        assertMistake(10, "length(2, x)");
        assertMistake(13, "oneOf('a', 'b");
        assertMistake(8, "matches('[')");
    }

    private static void assertMistake(int position, String text) {
        RuleSyntaxException mistake = assertThrows(RuleSyntaxException.class, () -> RuleParser.parse(text));

        assertEquals(position, mistake.position());
    }

    @Test
    void refusesBoundsThatNothingCanMeet() {
        for (String text : List.of("length(5, 2)", "length(-1, 2)", "range(1, 0)", "length(0, 99999999999)")) {
            assertThrows(RuleSyntaxException.class, () -> RuleParser.parse(text));
        }
    }
}
