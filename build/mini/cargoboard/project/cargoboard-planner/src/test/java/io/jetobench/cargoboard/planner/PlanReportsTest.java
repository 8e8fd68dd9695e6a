package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.CargoClass;
import io.jetobench.cargoboard.model.Lane;
import io.jetobench.cargoboard.model.PortCalendar;
import io.jetobench.cargoboard.model.RateCard;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import io.jetobench.cargoboard.model.Shipment;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is read off a finished plan: its price, and what arrives where. */
class PlanReportsTest {

    private static final Lane ROTTERDAM_SINGAPORE = Lane.of("NLRTM", "SGSIN");
    private static final Lane HAMBURG_SINGAPORE = Lane.of("DEHAM", "SGSIN");
    private static final Lane ROTTERDAM_SHANGHAI = Lane.of("NLRTM", "CNSHA");
    private static final PortCalendar CALENDAR = PortCalendar.mondayToSaturday();
    private static final RateCard FREIGHT = RateCard.startingAt(100).from(10_000, 80).build();

    private final SailingBook book = new SailingBook();

    private static Sailing sailing(String voyage, Lane lane, int departureDay) {
        return new Sailing(voyage, lane, departureDay, 10, 50_000, EnumSet.of(CargoClass.GENERAL));
    }

    private BookingPlan plan(Shipment... shipments) {
        return new BookingPlanner(book).plan(List.of(shipments));
    }

    private static Shipment shipment(String id, Lane lane, int kilos, int readyDay) {
        return new Shipment(id, lane, CargoClass.GENERAL, kilos, readyDay, 60);
    }

    @Nested
    class Costs {

        private final CostEstimator estimator = new CostEstimator(book, FREIGHT, 30);

        @Test
        void areFreightAndTheDaysOnTheQuay() {
            book.register(sailing("CB1", ROTTERDAM_SINGAPORE, 10));

            assertEquals(1_000, cost(1_000, 10));
            assertEquals(1_030, cost(1_000, 9));
            assertEquals(1_160, cost(1_001, 9));
            assertEquals(13_200, cost(12_000, 0));
        }

        private long cost(int kilos, int readyDay) {
            return estimator.cost(new Booking(shipment("SH1", ROTTERDAM_SINGAPORE, kilos, readyDay), "CB1"));
        }

        @Test
        void leaveOutVoyagesThatHaveBeenWithdrawn() {
            book.register(sailing("CB1", ROTTERDAM_SINGAPORE, 10));
            book.register(sailing("CB2", ROTTERDAM_SINGAPORE, 12));
            BookingPlan plan = plan(
                    shipment("SH1", ROTTERDAM_SINGAPORE, 1_000, 10), shipment("SH2", ROTTERDAM_SINGAPORE, 2_000, 12));
            assertEquals(3_000, estimator.total(plan));

            book.withdraw("CB2");

            assertEquals(List.of(sailing("CB1", ROTTERDAM_SINGAPORE, 10)), book.all());
            assertEquals(1_000, estimator.total(plan));
        }
    }

    @Nested
    class Arrivals {

        @Test
        void areListedByTheDayOnWhichTheyCanBeFetched() {
            book.register(sailing("CB9", ROTTERDAM_SINGAPORE, 4));
            book.register(sailing("CB1", HAMBURG_SINGAPORE, 6));
            book.register(sailing("CB4", ROTTERDAM_SHANGHAI, 1));
            BookingPlan plan = plan(
                    shipment("SH1", ROTTERDAM_SINGAPORE, 700, 0),
                    shipment("SH2", HAMBURG_SINGAPORE, 900, 0),
                    shipment("SH3", ROTTERDAM_SINGAPORE, 50, 0),
                    shipment("SH4", ROTTERDAM_SHANGHAI, 60, 0));
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
        void waitForThePortToOpen() {
            book.register(sailing("CB1", ROTTERDAM_SINGAPORE, 10));

            assertEquals(
                    List.of(new ArrivalBoard.Line(21, "CB1", 1, 700)),
                    new ArrivalBoard(book, "SGSIN", CALENDAR)
                            .lines(plan(shipment("SH1", ROTTERDAM_SINGAPORE, 700, 0))));
        }

        @Test
        void ofAllPortsTogetherShowEveryBookingOnce() {
            Season season = new Season(31, 4);
            SailingBook sailings = season.sailings(30);
            BookingPlan plan = new BookingPlanner(sailings).plan(season.shipments(40));

            int shipments = 0;
            for (int port = 0; port < 4; port++) {
                for (ArrivalBoard.Line line : new ArrivalBoard(sailings, season.port(port), CALENDAR).lines(plan)) {
                    assertTrue(CALENDAR.isOpen(line.availableDay()));
                    assertEquals(plan.loadedKilos(line.voyage()), line.kilos());
                    shipments += line.shipments();
                }
            }
            assertEquals(plan.bookings().size(), shipments);
        }
    }
}
