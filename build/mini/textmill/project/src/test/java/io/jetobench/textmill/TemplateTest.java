package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.Test;

public class TemplateTest {

    @Test
    public void fillsHoles() {
        Template template = compile("Dear {{ name }}, you owe {{amount}}.");
        Map<String, Object> values = new HashMap<>();
        values.put("name", "Ada");
        values.put("amount", 12);

        assertEquals("Dear Ada, you owe 12.", template.render(values));
    }

    @Test
    public void appliesFilters() {
        Template template = compile("{{x|upper}}/{{x | lower}}/{{x|trim}}");

        assertEquals(" AB / ab /aB", template.render(Collections.singletonMap("x", " aB ")));
    }

    @Test
    public void repeatsSectionsAndLooksOutwards() {
        Template template = compile("{{#items}}{{shop}}:{{name}};{{/items}}");
        Map<String, Object> values = new HashMap<>();
        values.put("shop", "north");
        values.put("items", Arrays.asList(
                Collections.singletonMap("name", "nut"), Collections.singletonMap("name", "bolt")));

        assertEquals("north:nut;north:bolt;", template.render(values));
    }

    @Test
    public void refusesToRenderWithoutAValue() {
        Map<String, Object> values = Collections.singletonMap("list", "text");

        assertThrows(IllegalArgumentException.class, () -> compile("{{name}}").render(values));
        assertThrows(IllegalArgumentException.class, () -> compile("{{#list}}{{/list}}").render(values));
    }

    @Test
    public void saysWhereATemplateIsWrong() {
        assertEquals("t:2:3: '{{' is not closed", problem("a\nb {{c"));
        assertEquals("t:1:2: a name is missing", problem("a{{ }}"));
        assertEquals("t:1:1: a name is missing", problem("{{|upper}}"));
        assertEquals("t:1:1: unknown filter 'none'", problem("{{a|none}}"));
        assertEquals("t:1:3: section 'a' is not closed", problem("b {{#a}}{{b}}"));
        assertEquals("t:1:7: section 'b' is not open here", problem("{{#a}}{{/b}}"));
    }

    /** Random templates, written beside what they must render to. */
    @Test
    public void rendersWhatWasWritten() {
        Map<String, String> values = new HashMap<>();
        values.put("a", "left");
        values.put("b", "right");
        Random random = new Random(21);
        for (int round = 0; round < 6_000; round++) {
            StringBuilder template = new StringBuilder();
            StringBuilder expected = new StringBuilder();
            for (int part = 0; part < 8; part++) {
                appendPart(random.nextInt(4), template, expected);
            }
            assertEquals(expected.toString(), compile(template.toString()).render(values));
        }
    }

    private static void appendPart(int kind, StringBuilder template, StringBuilder expected) {
        switch (kind) {
            case 0:
                template.append("{{a}}");
                expected.append("left");
                break;
            case 1:
                template.append("{{ b | upper }}");
                expected.append("RIGHT");
                break;
            default:
                template.append("{ text } ");
                expected.append("{ text } ");
        }
    }

    private static Template compile(String text) {
        return Template.compile(SourceText.of("t", text));
    }

    private static String problem(String text) {
        return assertThrows(SyntaxException.class, () -> compile(text)).getMessage();
    }
}
