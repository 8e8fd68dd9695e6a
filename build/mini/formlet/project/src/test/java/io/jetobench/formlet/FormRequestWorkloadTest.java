package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The web form: every request has its own validator, which looks at the fields that were just changed. */
class FormRequestWorkloadTest {

    private static final int REQUESTS = 1_800;

    @Test
    void checksWhatWasJustTyped() {
        int refused = 0;
        for (int i = 0; i < REQUESTS; i++) {
            FormValidator validator = new FormValidator(Forms.ORDER, new ValidationOptions(i % 2 == 0, true));
            assertTrue(validator.check("quantity", " " + (1 + i % 500)).isEmpty());
            assertTrue(validator.check("name", "Ada Lovelace ").isEmpty());
            assertTrue(validator.check("mail", "ada" + i + "@example.org").isEmpty());
            refused += validator.check("customer", "de-" + (1_000 + i)).isPresent() ? 1 : 0;
        }
        assertEquals(REQUESTS / 2, refused);
    }
}
