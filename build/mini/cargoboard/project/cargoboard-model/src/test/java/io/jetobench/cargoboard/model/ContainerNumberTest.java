package io.jetobench.cargoboard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerNumberTest {

    private static final int SERIALS = 1_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"CSQU3054383", "MSKU9070323", "TEXU3070079"})
    void readsAndWritesValidNumbers(String text) {
        assertEquals(text, ContainerNumber.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CSQU3054384", "CSQ3054383", "CSQX3054383", "csqu3054383", "CSQU30543 3", "CSQU-305438", ""})
    void rejectsInvalidNumbers(String text) {
        assertThrows(IllegalArgumentException.class, () -> ContainerNumber.parse(text));
    }

    @Test
    void checkDigitNoticesEveryMistypedDigitUpToTheKnownWeakness() {
        // 10 and 0 share the check digit 0, so only the pairs of remainders (0, 10) and (10, 0) can slip through.
        int slipped = 0;
        for (int serial = 0; serial < SERIALS; serial += 79) {
            int checkDigit = new ContainerNumber("TEXU", serial).checkDigit();
            for (int power = 1; power < SERIALS; power *= 10) {
                int mistyped = serial / power % 10 == 9 ? serial - 9 * power : serial + power;
                if (new ContainerNumber("TEXU", mistyped).checkDigit() == checkDigit) {
                    assertEquals(0, checkDigit);
                    slipped++;
                }
            }
        }
        assertTrue(slipped > 0 && slipped < SERIALS / 79 * 6 / 10, "slipped: " + slipped);
    }

    @Test
    void checkDigitNoticesSwappedNeighbours() {
        for (int serial = 0; serial < SERIALS; serial += 61) {
            int tens = serial / 10 % 10;
            int ones = serial % 10;
            int swapped = serial / 100 * 100 + ones * 10 + tens;
            int checkDigit = new ContainerNumber("GESU", serial).checkDigit();
            if (tens != ones && checkDigit != 0) {
                assertNotEquals(checkDigit, new ContainerNumber("GESU", swapped).checkDigit());
            }
        }
    }

    @Test
    void whatIsWrittenCanBeRead() {
        for (int serial = 0; serial < SERIALS; serial += 97) {
            ContainerNumber number = new ContainerNumber("HLXU", serial);
            assertEquals(number, ContainerNumber.parse(number.toString()));
        }
    }
}
