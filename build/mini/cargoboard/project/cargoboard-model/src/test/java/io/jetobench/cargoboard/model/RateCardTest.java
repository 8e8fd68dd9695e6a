package io.jetobench.cargoboard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RateCardTest {

    private static final RateCard CARD =
            RateCard.startingAt(90).from(1_000, 75).from(5_000, 62).from(20_000, 48).from(60_000, 41).build();

    @Test
    void chargesTheRateOfTheBreakOrTheNextWhereThatIsCheaper() {
        assertEquals(90, CARD.charge(1));
        assertEquals(90, CARD.charge(100));
        assertEquals(180, CARD.charge(101));
        assertEquals(720, CARD.charge(800));
        assertEquals(750, CARD.charge(900));
        assertEquals(750, CARD.charge(1_000));
        assertEquals(3_075, CARD.charge(4_100));
        assertEquals(3_100, CARD.charge(4_200));
        assertEquals(3_100, CARD.charge(5_000));
        assertEquals(24_600, CARD.charge(60_000));
    }

    @Test
    void neverChargesMoreForLessWeight() {
        long previous = 0;
        for (int kilos = 50; kilos <= 70_000; kilos += 350) {
            long charge = CARD.charge(kilos);
            assertTrue(charge >= previous);
            previous = charge;
        }
    }

    @Test
    void chargesEveryHundredKilosBegun() {
        for (int kilos = 1; kilos < 100; kilos += 14) {
            assertEquals(180, CARD.charge(100 + kilos));
        }
    }

    @Test
    void rejectsWeightsThatAreNotPositive() {
        assertThrows(IllegalArgumentException.class, () -> CARD.charge(0));
        assertThrows(IllegalArgumentException.class, () -> CARD.charge(-1));
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
