package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterestTest {

    @ParameterizedTest
    @CsvSource({
        "2024-01-01, 2024-01-01, 0, 0",
        "2024-01-31, 2024-02-01, 1, 1",
        "2024-02-28, 2024-03-01, 2, 3",
        "2023-02-28, 2023-03-01, 1, 3",
        "2023-01-01, 2024-01-01, 365, 360",
        "2024-01-01, 2025-01-01, 366, 360",
        "2024-03-01, 2024-02-01, -29, -30"
    })
    void countsDays(LocalDate from, LocalDate to, long actual, long thirty) {
        assertEquals(actual, DayCount.ACTUAL_365.daysBetween(from, to));
        assertEquals(thirty, DayCount.THIRTY_360.daysBetween(from, to));
    }

    @Test
    void growsByTheRateInAYear() {
        LocalDate from = LocalDate.of(2023, 1, 1);
        LocalDate to = LocalDate.of(2024, 1, 1);

        assertEquals(Money.parse("50.00"), Interest.simple(Money.parse("1000.00"), 500, from, to, DayCount.ACTUAL_365));
        assertEquals(Money.parse("50.00"), Interest.simple(Money.parse("1000.00"), 500, from, to, DayCount.THIRTY_360));
        assertEquals(Money.parse("1051.16"), Interest.compoundMonthly(Money.parse("1000.00"), 500, 12));
    }

    @Test
    void refusesToOverflow() {
        Money most = new Money(Long.MAX_VALUE);

        assertThrows(ArithmeticException.class, () -> Interest.compoundMonthly(most, 100, 1));
    }

    @Test
    void roundsSimpleInterestAsBigDecimalDoes() {
        Random random = new Random(7);
        for (int round = 0; round < 25_000; round++) {
            Money principal = new Money(random.nextInt(20_000_001) - 10_000_000);
            int rate = random.nextInt(2_000);
            LocalDate from = LocalDate.ofEpochDay(random.nextInt(30_000));
            LocalDate to = from.plusDays(random.nextInt(4_000));
            DayCount dayCount = round % 2 == 0 ? DayCount.ACTUAL_365 : DayCount.THIRTY_360;

            BigDecimal exact = BigDecimal.valueOf(principal.cents())
                    .multiply(BigDecimal.valueOf(rate))
                    .multiply(BigDecimal.valueOf(dayCount.daysBetween(from, to)))
                    .divide(BigDecimal.valueOf(10_000L * dayCount.yearDays()), 0, RoundingMode.HALF_EVEN);
            assertEquals(exact.longValue(), Interest.simple(principal, rate, from, to, dayCount).cents());
        }
    }
}
