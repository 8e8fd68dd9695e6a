package io.jetobench.ledgerline;

import java.time.LocalDate;

/** How many days of interest lie between two dates, and how many make a year. */
public enum DayCount {

    /** The days of the calendar; a year has 365. */
    ACTUAL_365(365) {
        @Override
        public long daysBetween(LocalDate from, LocalDate to) {
            return to.toEpochDay() - from.toEpochDay();
        }
    },

    /** Every month has 30 days, a year 360 (the "30E/360" of bonds). */
    THIRTY_360(360) {
        @Override
        public long daysBetween(LocalDate from, LocalDate to) {
            long months = 12L * (to.getYear() - from.getYear()) + to.getMonthValue() - from.getMonthValue();
            return 30 * months + Math.min(30, to.getDayOfMonth()) - Math.min(30, from.getDayOfMonth());
        }
    };

    private final int yearDays;

    DayCount(int yearDays) {
        this.yearDays = yearDays;
    }

    public int yearDays() {
        return yearDays;
    }

    /** Returns the number of days from one date to another, negative if that lies before. */
    public abstract long daysBetween(LocalDate from, LocalDate to);
}
