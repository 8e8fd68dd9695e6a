package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.CargoClass;
import io.jetobench.cargoboard.model.Lane;
import io.jetobench.cargoboard.model.PortCalendar;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import io.jetobench.cargoboard.model.Shipment;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalBoardTest {

    private static final PortCalendar CALENDAR = PortCalendar.mondayToSaturday();

    @Test
    void listsArrivalsByTheDayOnWhichTheyCanBeFetched() {
        SailingBook book = new SailingBook();
        sailing(book, "CB9", Lane.of("NLRTM", "SGSIN"), 4);
        sailing(book, "CB1", Lane.of("DEHAM", "SGSIN"), 6);
        sailing(book, "CB4", Lane.of("NLRTM", "CNSHA"), 1);
        BookingPlan plan = new BookingPlanner(book)
                .plan(List.of(
                        shipment("SH1", Lane.of("NLRTM", "SGSIN"), 700),
                        shipment("SH2", Lane.of("DEHAM", "SGSIN"), 900),
                        shipment("SH3", Lane.of("NLRTM", "SGSIN"), 50),
                        shipment("SH4", Lane.of("NLRTM", "CNSHA"), 60)));
        ArrivalBoard board = new ArrivalBoard(book, "SGSIN", CALENDAR);

        assertEquals(
                """
                Arrivals at SGSIN
                day 14  CB9  2 shipments  750 kg
                day 16  CB1  1 shipment  900 kg
                """,
                board.render(plan));

        book.withdraw("CB9");

        assertEquals(List.of(new ArrivalBoard.Line(16, "CB1", 1, 900)), board.lines(plan));
    }

    @Test
    void waitsForThePortToOpen() {
        SailingBook book = new SailingBook();
        sailing(book, "CB1", Lane.of("NLRTM", "SGSIN"), 10);
        BookingPlan plan = new BookingPlanner(book).plan(List.of(shipment("SH1", Lane.of("NLRTM", "SGSIN"), 700)));

        List<ArrivalBoard.Line> lines = new ArrivalBoard(book, "SGSIN", CALENDAR).lines(plan);

        assertEquals(List.of(new ArrivalBoard.Line(21, "CB1", 1, 700)), lines);
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32})
    void allBoardsTogetherShowEveryBookingOnce(long seed) {
        Season season = new Season(seed, 12);
        SailingBook sailings = season.sailings(150);
        BookingPlan plan = new BookingPlanner(sailings).plan(season.shipments(400));

        for (int round = 0; round < 5; round++) {
            int shipments = 0;
            for (int port = 0; port < 12; port++) {
                int previousDay = 0;
                for (ArrivalBoard.Line line : new ArrivalBoard(sailings, season.port(port), CALENDAR).lines(plan)) {
                    assertTrue(CALENDAR.isOpen(line.availableDay()) && line.availableDay() >= previousDay);
                    assertEquals(plan.loadedKilos(line.voyage()), line.kilos());
                    previousDay = line.availableDay();
                    shipments += line.shipments();
                }
            }
            assertEquals(plan.bookings().size(), shipments);
        }
    }

    private static void sailing(SailingBook book, String voyage, Lane lane, int departureDay) {
        book.register(new Sailing(voyage, lane, departureDay, 10, 5_000, EnumSet.of(CargoClass.GENERAL)));
    }

    private static Shipment shipment(String id, Lane lane, int kilos) {
        return new Shipment(id, lane, CargoClass.GENERAL, kilos, 0, 60);
    }
}
