package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "name; Ada; none",
                    "name; ''; is required",
                    "name; Augusta; must have 2 to 6 characters",
                    "code; AB12; none",
                    "code; ''; none",
                    "code; ab12; must look like [A-Z]{2}[0-9]+",
                    "code; AB12x; must look like [A-Z]{2}[0-9]+",
                    "size; M; none",
                    "size; 44; none",
                    "size; m; 'must be one of S, M, L'",
                    "size; 61; 'must be one of S, M, L'",
                    "nick; ada; none",
                    "nick; root; is not allowed",
                    "nick; Root; none",
                    "card; 79927398713; none",
                    "card; 79927398710; has a typing error"
                })
        void checksOneField(String field, String value, String expected) {
            assertEquals(expected, problem(validator, field, value));
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

        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "name; '  '; is required",
                    "name; ' A'; must have 2 to 6 characters",
                    "code; ' ab12 '; none",
                    "size; m; none",
                    "nick; Root; is not allowed"
                })
        void ignoresCaseAndBlanks(String field, String value, String expected) {
            assertEquals(expected, problem(validator, field, value));
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
        for (int i = 0; i < 250; i++) {
            FormValidator lenient = new FormValidator(BOOK, new ValidationOptions(true, i % 2 == 0));
            FormValidator strict = new FormValidator(BOOK, new ValidationOptions(false, i % 2 == 0));

            Map<String, String> form = Map.of("name", "Ada", "code", "ab" + i, "nick", "Admin", "size", "44");

            assertEquals(List.of(new Violation("nick", "is not allowed")), lenient.checkAll(form));
            assertEquals(
                    List.of(new Violation("code", "must look like [A-Z]{2}[0-9]+")), strict.checkAll(form));
        }
    }
}
