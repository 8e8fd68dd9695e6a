package io.jetobench.cargoboard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.DayOfWeek;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortCalendarTest {

    private static final int SEASON = 364;

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

    @ParameterizedTest
    @CsvSource({"0,0,0", "0,7,6", "6,7,0", "5,8,2", "3,17,12", "0,364,312"})
    void countsOpenDays(int from, int to, int expected) {
        assertEquals(expected, PortCalendar.mondayToSaturday().openDays(from, to));
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

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void agreesWithCountingDayByDay(long seed) {
        Random random = new Random(seed);
        Set<Integer> holidays = new TreeSet<>();
        for (int i = 0; i < 10; i++) {
            holidays.add(random.nextInt(SEASON));
        }
        PortCalendar calendar = new PortCalendar(
                EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.of(1 + random.nextInt(6))), holidays);

        for (int from = 0; from < SEASON; from++) {
            int counted = 0;
            for (int to = from; to < SEASON; to++) {
                assertEquals(counted, calendar.openDays(from, to));
                if (calendar.isOpen(to)) {
                    counted++;
                }
            }
        }
    }
}
