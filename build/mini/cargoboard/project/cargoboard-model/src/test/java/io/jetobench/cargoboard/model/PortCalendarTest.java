package io.jetobench.cargoboard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.DayOfWeek;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortCalendarTest {

    @Test
    void closesOnSundaysAndHolidays() {
        PortCalendar calendar =
                new PortCalendar(EnumSet.complementOf(EnumSet.of(DayOfWeek.SUNDAY)), List.of(7, 8));

        assertTrue(calendar.isOpen(5));
        assertFalse(calendar.isOpen(6));
        assertFalse(calendar.isOpen(7));
        assertEquals(9, calendar.nextOpenDay(6));
        assertEquals(5, calendar.nextOpenDay(5));
    }

    @Test
    void countsOpenDays() {
        PortCalendar calendar = PortCalendar.mondayToSaturday();

        assertEquals(0, calendar.openDays(0, 0));
        assertEquals(6, calendar.openDays(0, 7));
        assertEquals(0, calendar.openDays(6, 7));
        assertEquals(2, calendar.openDays(5, 8));
        assertEquals(12, calendar.openDays(3, 17));
        assertEquals(312, calendar.openDays(0, 364));
    }

    @Test
    void countsAHolidayOnAClosedWeekdayOnce() {
        PortCalendar calendar = new PortCalendar(EnumSet.of(DayOfWeek.MONDAY), List.of(1, 7));

        assertEquals(1, calendar.openDays(0, 14));
    }

    @Test
    void rejectsWhatMakesNoSense() {
        PortCalendar calendar = PortCalendar.mondayToSaturday();

        assertThrows(IllegalArgumentException.class, () -> calendar.openDays(3, 2));
        assertThrows(IllegalArgumentException.class, () -> new PortCalendar(Set.of(), List.of()));
    }

    @Test
    void agreesWithCountingDayByDay() {
        PortCalendar calendar =
                new PortCalendar(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), List.of(2, 3, 13, 18));

        int counted = 0;
        for (int to = 1; to < 28; to++) {
            assertEquals(counted, calendar.openDays(1, to));
            counted += calendar.isOpen(to) ? 1 : 0;
        }
    }
}
