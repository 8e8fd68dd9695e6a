package io.jetobench.textmill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Renders an invoice with many lines many times. */
public class TemplateWorkloadTest {

    private static final int ITEMS = 200;
    private static final int INVOICES = 400;

    private static final String TEXT =
            "Invoice {{number}} for {{customer|upper}}\n"
                    + "{{#items}}- {{count}} x {{name}} ({{customer}})\n{{/items}}"
                    + "Thank you.\n";

    @Test
    public void rendersLongInvoices() {
        Template template = Template.compile(SourceText.of("invoice", TEXT));
        Map<String, Object> values = new HashMap<>();
        values.put("customer", "Mill & Sons");
        values.put("items", items());

        int expectedLength = -1;
        for (int number = 1000; number < 1000 + INVOICES; number++) {
            values.put("number", number);
            String invoice = template.render(values);

            assertTrue(invoice.startsWith("Invoice " + number + " for MILL & SONS\n- 0 x part 0 (Mill & Sons)\n"));
            assertTrue(invoice.endsWith("- 199 x part 199 (Mill & Sons)\nThank you.\n"));
            assertTrue(expectedLength < 0 || expectedLength == invoice.length());
            expectedLength = invoice.length();
        }
        assertEquals(6020, expectedLength);
    }

    private static List<Map<String, Object>> items() {
        List<Map<String, Object>> items = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            Map<String, Object> item = new HashMap<>();
            item.put("count", i);
            item.put("name", "part " + i);
            items.add(item);
        }
        return items;
    }
}
