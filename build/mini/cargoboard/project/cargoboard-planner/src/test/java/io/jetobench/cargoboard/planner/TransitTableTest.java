package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.CargoClass;
import io.jetobench.cargoboard.model.Lane;
import io.jetobench.cargoboard.model.Sailing;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransitTableTest {

    private static final List<Sailing> SAILINGS = List.of(
            sailing("CB1", "NLRTM", "SGSIN", 25),
            sailing("CB2", "NLRTM", "AEJEA", 14),
            sailing("CB3", "AEJEA", "SGSIN", 7),
            sailing("CB4", "NLRTM", "AEJEA", 16),
            sailing("CB5", "SGSIN", "CNSHA", 6));

    private static Sailing sailing(String voyage, String origin, String destination, int days) {
        return new Sailing(voyage, Lane.of(origin, destination), 0, days, 1_000, EnumSet.of(CargoClass.GENERAL));
    }

    @ParameterizedTest
    @CsvSource({"0, 21, 27", "2, 23, 31", "4, 25, 35", "9, 25, 40"})
    void changesVesselsWhereThatIsFaster(int transferDays, int toSingapore, int toShanghai) {
        TransitTable table = TransitTable.of(SAILINGS, transferDays);

        assertEquals(OptionalInt.of(toSingapore), table.days("NLRTM", "SGSIN"));
        assertEquals(OptionalInt.of(toShanghai), table.days("NLRTM", "CNSHA"));
    }

    @Test
    void namesTheStops() {
        assertEquals(
                List.of("NLRTM", "AEJEA", "SGSIN", "CNSHA"),
                TransitTable.of(SAILINGS, 2).itinerary("NLRTM", "CNSHA"));
        assertEquals(
                List.of("NLRTM", "SGSIN", "CNSHA"), TransitTable.of(SAILINGS, 9).itinerary("NLRTM", "CNSHA"));
    }

    @Test
    void knowsWhatCannotBeReached() {
        TransitTable table = TransitTable.of(SAILINGS, 2);

        assertEquals(OptionalInt.empty(), table.days("CNSHA", "NLRTM"));
        assertEquals(OptionalInt.empty(), table.days("NLRTM", "BRSSZ"));
        assertEquals(OptionalInt.empty(), table.days("NLRTM", "NLRTM"));
        assertEquals(List.of(), table.itinerary("CNSHA", "NLRTM"));
        assertThrows(IllegalArgumentException.class, () -> TransitTable.of(SAILINGS, -1));
    }

    @ParameterizedTest
    @ValueSource(longs = {51, 52})
    void noDetourIsShorterAndEveryItineraryAddsUp(long seed) {
        int transferDays = 2;
        List<Sailing> sailings = new Season(seed, 50).sailings(250).all();
        TransitTable table = TransitTable.of(sailings, transferDays);
        List<String> ports = table.ports();
        for (String from : ports) {
            for (String to : ports) {
                int days = table.days(from, to).orElse(9_999);
                if (from.equals(to) || days == 9_999) {
                    continue;
                }
                for (Sailing leg : sailings) {
                    if (leg.lane().destination().equals(to) && !leg.lane().origin().equals(from)) {
                        int before = table.days(from, leg.lane().origin()).orElse(9_999);
                        assertTrue(days <= before + transferDays + leg.transitDays());
                    }
                }
                assertEquals(days, lengthOf(table.itinerary(from, to), table, transferDays));
            }
        }
    }

    private static int lengthOf(List<String> stops, TransitTable table, int transferDays) {
        int days = (stops.size() - 2) * transferDays;
        for (int i = 1; i < stops.size(); i++) {
            days += table.days(stops.get(i - 1), stops.get(i)).orElseThrow();
        }
        return days;
    }
}
