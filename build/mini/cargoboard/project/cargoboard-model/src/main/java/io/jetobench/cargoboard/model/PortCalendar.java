package io.jetobench.cargoboard.model;

import java.time.DayOfWeek;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** The days on which a port hands out cargo. Day 0 of the season is a Monday. */
public final class PortCalendar {

    private static final int DAYS_PER_WEEK = 7;

    private final boolean[] weekdayOpen = new boolean[DAYS_PER_WEEK];
    private final int openDaysPerWeek;
    private final BitSet holidays = new BitSet();

    /**
     * Makes a calendar.
     *
     * @param openWeekdays weekdays on which the port works, at least one
     * @param holidays     days of the season on which it is closed all the same
     */
    public PortCalendar(Set<DayOfWeek> openWeekdays, Collection<Integer> holidays) {
        if (openWeekdays.isEmpty()) {
            throw new IllegalArgumentException("A port must open at least once a week");
        }
        for (DayOfWeek weekday : openWeekdays) {
            weekdayOpen[weekday.getValue() - 1] = true;
        }
        openDaysPerWeek = openWeekdays.size();
        for (int holiday : holidays) {
            this.holidays.set(holiday);
        }
    }

    /** Open every day but Sunday, without holidays. */
    public static PortCalendar mondayToSaturday() {
        return new PortCalendar(EnumSet.complementOf(EnumSet.of(DayOfWeek.SUNDAY)), Set.of());
    }

    public boolean isOpen(int day) {
        return opensOnWeekdayOf(day) && !holidays.get(day);
    }

    /** The given day if the port is open then, else the first open day after it. */
    public int nextOpenDay(int day) {
        int next = day;
        while (!isOpen(next)) {
            next++;
        }
        return next;
    }

    /** How many open days there are from {@code from} (inclusive) to {@code to} (exclusive). */
    public int openDays(int from, int to) {
        if (to < from) {
            throw new IllegalArgumentException("Day " + to + " is before day " + from);
        }
        int wholeWeeks = (to - from) / DAYS_PER_WEEK;
        int open = wholeWeeks * openDaysPerWeek;
        for (int day = from + wholeWeeks * DAYS_PER_WEEK; day < to; day++) {
            open += opensOnWeekdayOf(day) ? 1 : 0;
        }
        for (int day = holidays.nextSetBit(from); day >= 0 && day < to; day = holidays.nextSetBit(day + 1)) {
            open -= opensOnWeekdayOf(day) ? 1 : 0;
        }
        return open;
    }

    private boolean opensOnWeekdayOf(int day) {
        return weekdayOpen[day % DAYS_PER_WEEK];
    }
}
