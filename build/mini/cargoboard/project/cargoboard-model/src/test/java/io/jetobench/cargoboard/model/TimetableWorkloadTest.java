package io.jetobench.cargoboard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A carrier loads its timetable for the year and then looks voyages up all day. */
class TimetableWorkloadTest {

    private static final int SAILINGS = 2_200;
    private static final int LOOK_UPS = 3_500;
    private static final String[] PORTS = {"NLRTM", "DEHAM", "SGSIN", "CNSHA", "BRSSZ", "USNYC", "ZADUR", "AEJEA"};

    @Test
    void loadsATimetableAndFindsEveryVoyage() {
        SailingBook book = new SailingBook();
        Random random = new Random(2024);
        for (int i = 0; i < SAILINGS; i++) {
            Lane lane = Lane.of(PORTS[i % 8], PORTS[(i + 1 + random.nextInt(7)) % 8]);
            book.register(new Sailing(
                    voyage(i), lane, random.nextInt(364), 5 + random.nextInt(30), 50_000, EnumSet.of(CargoClass.GENERAL)));
        }

        long days = 0;
        for (int i = 0; i < LOOK_UPS; i++) {
            String wanted = voyage(i * 7 % SAILINGS);
            Sailing found = book.find(wanted).orElseThrow();
            assertEquals(wanted, found.voyage());
            days += found.arrivalDay() - found.departureDay();
        }

        assertEquals(SAILINGS, book.size());
        assertTrue(days > 5L * LOOK_UPS && days < 35L * LOOK_UPS);
    }

    private static String voyage(int number) {
        return "CB" + (10_000 + number) + "E";
    }
}
