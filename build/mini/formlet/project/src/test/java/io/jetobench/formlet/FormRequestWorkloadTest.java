package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The web form: every request has its own validator, which looks at the fields that were just changed. */
class FormRequestWorkloadTest {

    private static final int REQUESTS = 1_000;

    @Test
    void checksWhatWasJustTyped() {
        Map<String, String> order = new HashMap<>();
        NightlyImportWorkloadTest.fill(order, 0);
        int refused = 0;
        for (int i = 0; i < REQUESTS; i++) {
            FormValidator validator = new FormValidator(Forms.ORDER, new ValidationOptions(i % 2 == 0, true));
            assertTrue(validator.check("quantity", " 12").isEmpty());
            assertTrue(validator.check("name", "Ada Lovelace ").isEmpty());
            assertTrue(validator.check("mail", "ada@example.org").isEmpty());
            assertTrue(validator.check("street", "St. James's Square 12").isEmpty());
            assertTrue(validator.check("city", "London").isEmpty());
            refused += validator.check("customer", "de-1000").isPresent() ? 1 : 0;
        }
        assertEquals(REQUESTS / 2, refused);
        assertEquals(List.of(), new FormValidator(Forms.ORDER, ValidationOptions.LENIENT).checkAll(order));
    }
}
