package io.jetobench.cargoboard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SailingBookTest {

    private static final Lane ROTTERDAM_SINGAPORE = Lane.of("NLRTM", "SGSIN");
    private static final Lane HAMBURG_SANTOS = Lane.of("DEHAM", "BRSSZ");

    private final SailingBook book = new SailingBook();

    private static Sailing sailing(String voyage, Lane lane, int departureDay) {
        return new Sailing(voyage, lane, departureDay, 20, 50_000, EnumSet.allOf(CargoClass.class));
    }

    private static List<String> voyages(List<Sailing> sailings) {
        return sailings.stream().map(Sailing::voyage).collect(Collectors.toList());
    }

    @Nested
    class Lanes {

        @Test
        void areTheSameIfBothPortsAre() {
            assertTrue(Set.of(ROTTERDAM_SINGAPORE, HAMBURG_SANTOS).contains(Lane.of("NLRTM", "SGSIN")));
            assertFalse(Set.of(ROTTERDAM_SINGAPORE, HAMBURG_SANTOS).contains(Lane.of("SGSIN", "NLRTM")));
            assertEquals("DEHAM-BRSSZ", HAMBURG_SANTOS.toString());
        }

        @Test
        void needTwoPorts() {
            assertThrows(IllegalArgumentException.class, () -> Lane.of("NLRTM", "NLRTM"));
            assertThrows(IllegalArgumentException.class, () -> Lane.of("NLRTM", "nlams"));
        }
    }

    @Nested
    class Registering {

        @Test
        void makesASailingKnownByItsVoyageNumber() {
            book.register(sailing("CB1", ROTTERDAM_SINGAPORE, 4));

            assertEquals(Optional.of(sailing("CB1", ROTTERDAM_SINGAPORE, 4)), book.find("CB1"));
            assertEquals(Optional.empty(), book.find("CB2"));
            assertEquals(1, book.size());
        }

        @Test
        void keepsTheOrder() {
            book.register(sailing("CB9", ROTTERDAM_SINGAPORE, 4));
            book.register(sailing("CB2", HAMBURG_SANTOS, 3));
            book.register(sailing("CB5", ROTTERDAM_SINGAPORE, 1));

            assertEquals(List.of("CB9", "CB2", "CB5"), voyages(book.all()));
        }

        @Test
        void refusesAVoyageNumberThatIsTaken() {
            Sailing first = sailing("CB1", ROTTERDAM_SINGAPORE, 4);
            Sailing second = sailing("CB1", HAMBURG_SANTOS, 8);
            book.register(first);

            assertThrows(IllegalArgumentException.class, () -> book.register(second));
            assertEquals(List.of(first), book.all());
            assertTrue(book.departures(HAMBURG_SANTOS).isEmpty());
        }
    }

    @Nested
    class Withdrawing {

        @Test
        void removesTheSailingEverywhere() {
            book.register(sailing("CB1", ROTTERDAM_SINGAPORE, 4));
            book.register(sailing("CB2", ROTTERDAM_SINGAPORE, 5));

            assertTrue(book.withdraw("CB1"));
            assertFalse(book.withdraw("CB1"));
            assertEquals(Optional.empty(), book.find("CB1"));
            assertEquals(List.of("CB2"), voyages(book.all()));
            assertEquals(List.of("CB2"), voyages(book.departures(ROTTERDAM_SINGAPORE)));
        }

        @Test
        void keepsTheOrderOfTheOthers() {
            for (int i = 0; i < 6; i++) {
                book.register(sailing("CB" + i, i % 2 == 0 ? ROTTERDAM_SINGAPORE : HAMBURG_SANTOS, 9 - i / 2));
            }
            book.withdraw("CB2");
            book.withdraw("CB5");

            assertEquals(List.of("CB0", "CB1", "CB3", "CB4"), voyages(book.all()));
            assertEquals(List.of("CB4", "CB0"), voyages(book.departures(ROTTERDAM_SINGAPORE)));
            assertEquals(List.of("CB3", "CB1"), voyages(book.departures(HAMBURG_SANTOS)));
        }

        @Test
        void freesTheVoyageNumber() {
            book.register(sailing("CB1", ROTTERDAM_SINGAPORE, 4));
            book.register(sailing("CB2", ROTTERDAM_SINGAPORE, 4));
            book.withdraw("CB1");
            book.register(sailing("CB1", ROTTERDAM_SINGAPORE, 4));

            assertEquals(List.of("CB2", "CB1"), voyages(book.all()));
            assertEquals(List.of("CB2", "CB1"), voyages(book.departures(ROTTERDAM_SINGAPORE)));
        }
    }

    @Nested
    class Departures {

        @Test
        void comeByDayAndOnOneDayInTheOrderOfRegistration() {
            book.register(sailing("CB3", ROTTERDAM_SINGAPORE, 9));
            book.register(sailing("CB8", ROTTERDAM_SINGAPORE, 2));
            book.register(sailing("CB1", ROTTERDAM_SINGAPORE, 9));
            book.register(sailing("CB5", HAMBURG_SANTOS, 1));
            book.register(sailing("CB7", ROTTERDAM_SINGAPORE, 2));

            assertEquals(List.of("CB8", "CB7", "CB3", "CB1"), voyages(book.departures(ROTTERDAM_SINGAPORE)));
            assertEquals(List.of("CB5"), voyages(book.departures(HAMBURG_SANTOS)));
        }

        @Test
        void areEmptyOnALaneThatNobodyServes() {
            book.register(sailing("CB3", ROTTERDAM_SINGAPORE, 9));

            assertTrue(book.departures(Lane.of("SGSIN", "NLRTM")).isEmpty());
        }

        @Test
        void areThoseOfTheMomentOfAsking() {
            book.register(sailing("CB3", ROTTERDAM_SINGAPORE, 9));
            List<Sailing> before = book.departures(ROTTERDAM_SINGAPORE);

            book.register(sailing("CB4", ROTTERDAM_SINGAPORE, 8));

            assertEquals(List.of("CB3"), voyages(before));
        }

        @Test
        void cannotBeChangedFromOutside() {
            book.register(sailing("CB3", ROTTERDAM_SINGAPORE, 9));
            List<Sailing> departures = book.departures(ROTTERDAM_SINGAPORE);

            assertThrows(UnsupportedOperationException.class, departures::clear);
            assertThrows(UnsupportedOperationException.class, () -> book.all().clear());
        }
    }
}
