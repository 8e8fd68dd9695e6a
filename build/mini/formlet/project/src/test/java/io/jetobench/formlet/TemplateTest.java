package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplateTest {

    private static final Map<String, String> VALUES = Map.of("name", "Ada", "city", "London", "none", "");

    private static String rendered(String template) {
        return Template.parse(template).render(VALUES);
    }

    @Test
    void fillsInValues() {
        assertEquals("", rendered(""));
        assertEquals("plain", rendered("plain"));
        assertEquals("Dear Ada,", rendered("Dear {name},"));
        assertEquals("ADA of London", rendered("{name^} of {city}"));
        assertEquals("[]", rendered("[{nobody}]"));
        assertEquals("{name}", rendered("{{}name}"));
        assertEquals("a } b", rendered("a } b"));
    }

    @Test
    void leavesOutSectionsWithoutAValue() {
        assertEquals("yes", rendered("{?name}yes{/name}"));
        assertEquals("no", rendered("{?none}yes{/none}no"));
        assertEquals("", rendered("{?nobody}yes{/nobody}"));
        assertEquals("abde", rendered("{?name}a{?city}b{?none}c{/none}d{/city}e{/name}"));
    }

    @Test
    void refusesWhatIsLeftOpen() {
        for (String template : List.of("{name", "{?name}open", "{/name}", "{?a}{?b}{/a}{/b}", "{?a}{/b}")) {
            assertThrows(IllegalArgumentException.class, () -> Template.parse(template));
        }
    }

    @Test
    void parsesAndRendersDeeplyNestedSections() {
        String text = "{?name}<".repeat(40) + "{name}" + ">{/name}".repeat(40);

        assertEquals("<".repeat(40) + "Ada" + ">".repeat(40), rendered(text));
    }
}
