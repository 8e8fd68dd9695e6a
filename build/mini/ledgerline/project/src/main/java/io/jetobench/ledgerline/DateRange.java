package io.jetobench.ledgerline;

import java.time.LocalDate;
import java.time.YearMonth;

/**
 * A span of days.
 *
 * @param first the first day
 * @param last the last day, which belongs to the span
 */
public record DateRange(LocalDate first, LocalDate last) {

    /** Checks that the span is not empty. */
    public DateRange {
        if (last.isBefore(first)) {
            throw new IllegalArgumentException(last + " is before " + first);
        }
    }

    /** Returns all days of a month. */
    public static DateRange of(YearMonth month) {
        return new DateRange(month.atDay(1), month.atEndOfMonth());
    }

    public boolean contains(LocalDate date) {
        return !date.isBefore(first) && !date.isAfter(last);
    }
}
