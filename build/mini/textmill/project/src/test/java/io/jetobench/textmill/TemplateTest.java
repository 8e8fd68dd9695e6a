package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
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

    @Test(expected = IllegalArgumentException.class)
    public void refusesToRenderWithoutAValue() {
        compile("{{name}}").render(Collections.singletonMap("list", "text"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesToRepeatWhatIsNoList() {
        compile("{{#list}}{{/list}}").render(Collections.singletonMap("list", "text"));
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

    @Test
    public void keepsTextThatOnlyLooksLikeAHole() {
        Map<String, Object> none = Collections.emptyMap();

        assertEquals("{ text } }} {a}", compile("{ text } }} {a}").render(none));
        assertEquals("", compile("").render(none));
    }

    @Test
    public void nestsSections() {
        Map<String, Object> inner = new HashMap<>();
        inner.put("cells", Arrays.asList(Collections.singletonMap("x", "1"), Collections.singletonMap("x", "2")));
        Template template = compile("{{#rows}}{{#cells}}{{x}}{{y}} {{/cells}}/{{/rows}}");
        Map<String, Object> values = new HashMap<>();
        values.put("rows", Arrays.asList(inner, inner));
        values.put("y", "y");

        assertEquals("1y 2y /1y 2y /", template.render(values));
    }

    private static Template compile(String text) {
        return Template.compile(SourceText.of("t", text));
    }

    private static String problem(String text) {
        try {
            compile(text);
        } catch (SyntaxException e) {
            return e.getMessage();
        }
        throw new AssertionError("nothing is wrong with " + text);
    }
}
