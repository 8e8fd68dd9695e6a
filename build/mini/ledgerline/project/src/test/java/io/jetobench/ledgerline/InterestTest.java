package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class InterestTest {

    @Test
    void countsDays() {
        assertDays(0, 0, LocalDate.of(2024, 1, 1), LocalDate.of(2024, 1, 1));
        assertDays(1, 1, LocalDate.of(2024, 1, 31), LocalDate.of(2024, 2, 1));
        assertDays(2, 3, LocalDate.of(2024, 2, 28), LocalDate.of(2024, 3, 1));
        assertDays(1, 3, LocalDate.of(2023, 2, 28), LocalDate.of(2023, 3, 1));
        assertDays(365, 360, LocalDate.of(2023, 1, 1), LocalDate.of(2024, 1, 1));
        assertDays(366, 360, LocalDate.of(2024, 1, 1), LocalDate.of(2025, 1, 1));
        assertDays(-29, -30, LocalDate.of(2024, 3, 1), LocalDate.of(2024, 2, 1));
    }

    @Test
    void growsByTheRateInAYear() {
        LocalDate from = LocalDate.of(2023, 1, 1);
        LocalDate to = LocalDate.of(2024, 1, 1);

        assertEquals(Money.parse("50.00"), Interest.simple(Money.parse("1000.00"), 500, from, to, DayCount.ACTUAL_365));
        assertEquals(Money.parse("50.00"), Interest.simple(Money.parse("1000.00"), 500, from, to, DayCount.THIRTY_360));
        assertEquals(Money.parse("1051.16"), Interest.compoundMonthly(Money.parse("1000.00"), 500, 12));
    }

    /** One percent for 18 days of 360 is 0.05 percent. */
    @Test
    void roundsHalvesToTheEvenCent() {
        LocalDate from = LocalDate.of(2024, 1, 1);
        LocalDate to = LocalDate.of(2024, 1, 19);

        assertEquals(new Money(0), Interest.simple(new Money(1_000), 100, from, to, DayCount.THIRTY_360));
        assertEquals(new Money(1), Interest.simple(new Money(1_001), 100, from, to, DayCount.THIRTY_360));
        assertEquals(new Money(2), Interest.simple(new Money(3_000), 100, from, to, DayCount.THIRTY_360));
        assertEquals(new Money(-2), Interest.simple(new Money(-3_000), 100, from, to, DayCount.THIRTY_360));
        assertEquals(new Money(2), Interest.simple(new Money(5_000), 100, from, to, DayCount.THIRTY_360));
    }

    @Test
    void refusesToOverflow() {
        Money most = new Money(Long.MAX_VALUE);

        assertThrows(ArithmeticException.class, () -> Interest.compoundMonthly(most, 100, 1));
    }

    private static void assertDays(long actual, long thirty, LocalDate from, LocalDate to) {
        assertEquals(actual, DayCount.ACTUAL_365.daysBetween(from, to));
        assertEquals(thirty, DayCount.THIRTY_360.daysBetween(from, to));
    }
}
