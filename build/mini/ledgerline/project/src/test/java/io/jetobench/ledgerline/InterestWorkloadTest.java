package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

/** Computes savings plans over many years, and interest between many pairs of dates. */
class InterestWorkloadTest {

    private static final int PLANS = 6_000;
    private static final int YEARS = 40;
    private static final LocalDate START = LocalDate.of(1990, 1, 31);

    @Test
    void growsManySavings() {
        for (int plan = 0; plan < PLANS; plan++) {
            Money principal = new Money(100_000 + 37L * plan);
            Money slow = Interest.compoundMonthly(principal, 300, 12 * YEARS);
            Money fast = Interest.compoundMonthly(principal, 301, 12 * YEARS);

            assertTrue(fast.compareTo(slow) > 0);
        }
    }

    @Test
    void addsUpInterestDayByDay() {
        Money principal = Money.parse("100000.00");
        for (DayCount dayCount : DayCount.values()) {
            for (int rate = 1; rate < 100; rate++) {
                Money previous = Money.ZERO;
                for (int day = 1; day < 12_000; day += 7) {
                    Money interest = Interest.simple(principal, rate, START, START.plusDays(day), dayCount);
                    assertTrue(interest.compareTo(previous) >= 0);
                    previous = interest;
                }
            }
        }
    }
}
