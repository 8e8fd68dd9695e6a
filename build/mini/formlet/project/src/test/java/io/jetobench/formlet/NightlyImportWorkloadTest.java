package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One validator goes through the whole file of the day. */
class NightlyImportWorkloadTest {

    private static final int ORDERS = 2_000;

    @Test
    void findsTheBrokenOrders() {
        FormValidator validator = new FormValidator(Forms.ORDER, ValidationOptions.LENIENT);
        Map<String, String> order = new HashMap<>();
        int broken = 0;
        for (int i = 0; i < ORDERS; i++) {
            fill(order, i);
            List<Violation> violations = validator.checkAll(order);
            if (i % 10 == 3) {
                assertEquals(List.of(new Violation("quantity", "must be a number from 1 to 500")), violations);
                broken++;
            } else {
                assertEquals(List.of(), violations);
            }
        }
        assertEquals(ORDERS / 10, broken);
    }

    static void fill(Map<String, String> order, int i) {
        order.put("customer", "nl-" + (10_000 + i));
        order.put("name", "Ada Lovelace");
        order.put("street", "St. James's Square " + i);
        order.put("postcode", i % 2 == 0 ? "SW1Y 4JH" : "10115");
        order.put("city", "London");
        order.put("country", "gb");
        order.put("mail", "ada" + i + "@example.org");
        order.put("phone", "+44 20 7946 0018");
        order.put("card", "4111 1111 1111 1111");
        order.put("account", "GB82WEST12345698765432");
        order.put("quantity", i % 10 == 3 ? "0" : "12");
        order.put("delivery", i % 3 == 0 ? "ASAP" : "2024-05-17");
    }
}
