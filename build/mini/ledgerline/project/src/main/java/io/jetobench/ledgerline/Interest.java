package io.jetobench.ledgerline;

import java.time.LocalDate;

/** Interest on a principal, rounded to the cent, halves to the even one. Rates are in basis points. */
public final class Interest {

    private static final long BASIS_POINTS = 10_000;
    private static final int MONTHS = 12;

    private Interest() {}

    /** Returns the interest for the days between two dates, without interest on interest. */
    public static Money simple(Money principal, int rate, LocalDate from, LocalDate to, DayCount dayCount) {
        long days = dayCount.daysBetween(from, to);
        long product = Math.multiplyExact(Math.multiplyExact(principal.cents(), (long) rate), days);
        return new Money(Money.divideHalfEven(product, BASIS_POINTS * dayCount.yearDays()));
    }

    /** Returns what a principal has grown to if interest is added, and rounded, every month. */
    public static Money compoundMonthly(Money principal, int rate, int months) {
        long cents = principal.cents();
        for (int month = 0; month < months; month++) {
            long product = Math.multiplyExact(cents, (long) rate);
            cents = Math.addExact(cents, Money.divideHalfEven(product, BASIS_POINTS * MONTHS));
        }
        return new Money(cents);
    }
}
