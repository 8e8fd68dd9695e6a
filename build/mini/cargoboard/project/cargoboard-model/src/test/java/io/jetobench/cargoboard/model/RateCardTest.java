package io.jetobench.cargoboard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateCardTest {

    private static final RateCard CARD =
            RateCard.startingAt(90).from(1_000, 75).from(5_000, 62).from(20_000, 48).from(60_000, 41).build();

    @ParameterizedTest
    @CsvSource({
        "1, 90",
        "100, 90",
        "101, 180",
        "800, 720",
        "900, 750",
        "1000, 750",
        "4100, 3075",
        "4200, 3100",
        "5000, 3100",
        "60000, 24600"
    })
    void chargesTheRateOfTheBreakOrTheNextWhereThatIsCheaper(int kilos, long cents) {
        assertEquals(cents, CARD.charge(kilos));
    }

    @Test
    void neverChargesMoreForLessWeight() {
        long previous = 0;
        for (int kilos = 1; kilos <= 50_000; kilos++) {
            long charge = CARD.charge(kilos);
            assertTrue(charge >= previous);
            previous = charge;
        }
    }

    @Test
    void chargesEveryHundredKilosBegun() {
        for (int hundreds = 0; hundreds < 250; hundreds++) {
            long charge = CARD.charge(hundreds * 100 + 100);
            for (int kilos = 1; kilos < 100; kilos++) {
                assertEquals(charge, CARD.charge(hundreds * 100 + kilos));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void rejectsWeightsThatAreNotPositive(int kilos) {
        assertThrows(IllegalArgumentException.class, () -> CARD.charge(kilos));
    }

    @Test
    void rejectsBreaksThatAreNotHeavierAndCheaper() {
        RateCard.Builder builder = RateCard.startingAt(90).from(1_000, 75);

        assertThrows(IllegalArgumentException.class, () -> builder.from(1_000, 60));
        assertThrows(IllegalArgumentException.class, () -> builder.from(2_000, 75));
        assertThrows(IllegalArgumentException.class, () -> builder.from(2_000, 0));
        assertEquals(2, builder.build().breaks().size());
    }
}
