package io.jetobench.cargoboard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A carrier loads its timetable for the year and then looks voyages up all day. */
class TimetableWorkloadTest {

    private static final int SAILINGS = 400;
    private static final int DAYS = 12;
    private static final int LOOK_UPS = 3_000;
    private static final String[] PORTS = {"NLRTM", "DEHAM", "SGSIN", "CNSHA", "BRSSZ", "USNYC", "ZADUR", "AEJEA"};

    @Test
    void loadsATimetableAndFindsEveryVoyage() {
        SailingBook book = new SailingBook();
        List<String> voyages = new ArrayList<>();
        Random random = new Random(2024);
        for (int i = 0; i < SAILINGS; i++) {
            Lane lane = Lane.of(PORTS[i % 8], PORTS[(i + 1 + random.nextInt(7)) % 8]);
            voyages.add("CB" + (10_000 + i) + "E");
            int departureDay = random.nextInt(364);
            int transitDays = 5 + random.nextInt(30);
            book.register(new Sailing(
                    voyages.get(i), lane, departureDay, transitDays, 50_000, EnumSet.of(CargoClass.GENERAL)));
        }

        assertEquals(SAILINGS, book.size());
        long daysAtSea = lookUpADay(book, voyages);
        assertTrue(daysAtSea > 5L * LOOK_UPS && daysAtSea < 35L * LOOK_UPS);
        for (int day = 1; day < DAYS; day++) {
            assertEquals(daysAtSea, lookUpADay(book, voyages));
        }
    }

    private static long lookUpADay(SailingBook book, List<String> voyages) {
        long daysAtSea = 0;
        for (int i = 0; i < LOOK_UPS; i++) {
            Sailing found = book.find(voyages.get(i * 7 % SAILINGS)).orElseThrow();
            daysAtSea += found.arrivalDay() - found.departureDay();
        }
        return daysAtSea;
    }
}
