package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FormValidatorTest {

    private static final RuleBook BOOK = RuleBook.builder()
            .field("name", "required & length(2, 6)")
            .field("code", "matches('[A-Z]{2}[0-9]+')")
            .field("size", "oneOf('S', 'M', 'L') | range(32, 60)")
            .field("nick", "!oneOf('admin', 'root')")
            .field("card", "luhn")
            .build();

    private static String problem(FormValidator validator, String field, String value) {
        return validator.check(field, value).map(Violation::message).orElse("none");
    }

    @Nested
    class Strictly {

        private final FormValidator validator = new FormValidator(BOOK, ValidationOptions.STRICT);

        @Test
        void checksOneField() {
            assertEquals("none", problem(validator, "name", "Ada"));
            assertEquals("is required", problem(validator, "name", ""));
            assertEquals("must have 2 to 6 characters", problem(validator, "name", "Augusta"));
            assertEquals("none", problem(validator, "code", "AB12"));
            assertEquals("none", problem(validator, "code", ""));
            assertEquals("must look like [A-Z]{2}[0-9]+", problem(validator, "code", "ab12"));
            assertEquals("must look like [A-Z]{2}[0-9]+", problem(validator, "code", "AB12x"));
            assertEquals("none", problem(validator, "card", "79927398713"));
            assertEquals("has a typing error", problem(validator, "card", "79927398710"));
        }

        @Test
        void offersAlternativesAndExceptions() {
            assertEquals("none", problem(validator, "size", "M"));
            assertEquals("none", problem(validator, "size", "44"));
            assertEquals("must be one of S, M, L", problem(validator, "size", "m"));
            assertEquals("must be one of S, M, L", problem(validator, "size", "61"));
            assertEquals("none", problem(validator, "nick", "ada"));
            assertEquals("is not allowed", problem(validator, "nick", "root"));
            assertEquals("none", problem(validator, "nick", "Root"));
        }

        @Test
        void countsBlanks() {
            assertEquals("none", problem(validator, "name", " A"));
            assertEquals("must look like [A-Z]{2}[0-9]+", problem(validator, "code", "AB12 "));
        }
    }

    @Nested
    class Leniently {

        private final FormValidator validator = new FormValidator(BOOK, ValidationOptions.LENIENT);

        @Test
        void ignoresCaseAndBlanks() {
            assertEquals("is required", problem(validator, "name", "  "));
            assertEquals("must have 2 to 6 characters", problem(validator, "name", " A"));
            assertEquals("none", problem(validator, "code", " ab12 "));
            assertEquals("none", problem(validator, "size", "m"));
            assertEquals("is not allowed", problem(validator, "nick", "Root"));
        }
    }

    @Nested
    class WholeForms {

        private final FormValidator validator = new FormValidator(BOOK, ValidationOptions.STRICT);

        @Test
        void listAllViolationsInTheOrderOfTheBook() {
            List<Violation> violations =
                    validator.checkAll(Map.of("card", "123", "code", "?", "nick", "ada", "unknown", "x"));

            assertEquals(
                    List.of(
                            new Violation("name", "is required"),
                            new Violation("code", "must look like [A-Z]{2}[0-9]+"),
                            new Violation("card", "has a typing error")),
                    violations);
        }

        @Test
        void haveNoRuleForUnknownFields() {
            assertThrows(IllegalArgumentException.class, () -> validator.check("unknown", "x"));
        }
    }

    @Nested
    class Books {

        @Test
        void refuseMistakesWhenTheyAreWritten() {
            RuleBook.Builder builder = RuleBook.builder().field("name", "required");

            assertThrows(RuleSyntaxException.class, () -> builder.field("code", "requird"));
            assertThrows(IllegalArgumentException.class, () -> builder.field("name", "luhn"));
        }

        @Test
        void canBeReadByPeople() {
            RuleBook book = RuleBook.builder().field("b", "luhn").field("a", "required").build();

            assertEquals("b: luhn\na: required\n", book.describe());
            assertEquals(List.of("b", "a"), List.copyOf(book.fields()));
        }
    }

    @Test
    void optionsMatterWhicheverValidatorComesFirst() {
        for (int i = 0; i < 4; i++) {
            FormValidator lenient = new FormValidator(BOOK, new ValidationOptions(true, i % 2 == 0));
            FormValidator strict = new FormValidator(BOOK, new ValidationOptions(false, i % 2 == 0));

            Map<String, String> form = Map.of("name", "Ada", "code", "ab" + i, "nick", "Admin", "size", "44");

            assertEquals(List.of(new Violation("nick", "is not allowed")), lenient.checkAll(form));
            assertEquals(
                    List.of(new Violation("code", "must look like [A-Z]{2}[0-9]+")), strict.checkAll(form));
        }
    }
}
