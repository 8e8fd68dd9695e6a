package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The monthly statement: one letter for every customer. */
class MailMergeWorkloadTest {

    private static final int LETTERS = 48_000;
    private static final AmountFormat POUNDS = new AmountFormat(',', '.', 2);
    private static final Template LETTER = Template.parse(
            """
            {customer^}

            Dear {name},

            your balance is GBP {balance}.{?due} Please pay GBP {due} by the end of the month.{/due}
            {?note}
            {note}
            {/note}
            Yours,
            {clerk}
            """);

    @Test
    void writesALetterToEveryCustomer() {
        Map<String, String> values = new HashMap<>();
        values.put("name", "Ada Lovelace");
        values.put("clerk", "Charles Babbage");
        long due = 0;
        long reminders = 0;
        for (int i = 0; i < LETTERS; i++) {
            long balance = (i % 4 == 0 ? -1 : 1) * 12_345L * i;
            values.put("customer", i % 2 == 0 ? "gb-even" : "gb-odd");
            values.put("balance", POUNDS.format(balance));
            values.put("due", balance < 0 ? POUNDS.format(-balance) : "");

            String letter = LETTER.render(values);

            assertTrue(letter.startsWith("GB-") && letter.endsWith("Babbage\n"));
            reminders += letter.contains("Please pay") ? 1 : 0;
            due += balance < 0 ? POUNDS.parse(values.get("due")) : 0;
        }
        assertEquals(LETTERS / 4 - 1, reminders);
        assertEquals(12_345L * 4 * (LETTERS / 4) * (LETTERS / 4 - 1) / 2, due);
    }
}
