package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

    private static final Map<String, String> VALUES = Map.of("name", "Ada", "city", "London", "none", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; ''",
                "plain; plain",
                "Dear {name},; Dear Ada,",
                "{name^} of {city}; ADA of London",
                "[{nobody}]; []",
                "{?name}yes{/name}; yes",
                "{?none}yes{/none}no; no",
                "{?nobody}yes{/nobody}; ''",
                "{?name}a{?city}b{?none}c{/none}d{/city}e{/name}; abde",
                "{{}name}; {name}",
                "a } b; a } b"
            })
    void fillsInValues(String template, String expected) {
        assertEquals(expected, Template.parse(template).render(VALUES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{name", "{?name}open", "{/name}", "{?a}{?b}{/a}{/b}", "{?a}{/b}"})
    void refusesWhatIsLeftOpen(String template) {
        assertThrows(IllegalArgumentException.class, () -> Template.parse(template));
    }

    @Test
    void parsesAndRendersDeeplyNestedSections() {
        for (int depth = 1; depth <= 300; depth++) {
            String text = "{?name}<".repeat(depth) + "{name}" + ">{/name}".repeat(depth);

            assertEquals("<".repeat(depth) + "Ada" + ">".repeat(depth), Template.parse(text).render(VALUES));
        }
    }
}
