package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.CargoClass;
import io.jetobench.cargoboard.model.Lane;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import io.jetobench.cargoboard.model.Shipment;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BookingPlannerTest {

    private static final Lane LANE = Lane.of("NLRTM", "SGSIN");

    private final SailingBook book = new SailingBook();
    private final BookingPlanner planner = new BookingPlanner(book);

    private void sailing(String voyage, int departureDay, int capacityKilos) {
        book.register(new Sailing(
                voyage, LANE, departureDay, 20, capacityKilos, EnumSet.of(CargoClass.GENERAL, CargoClass.REEFER)));
    }

    private static Shipment shipment(String id, int kilos, int readyDay, int dueDay) {
        return new Shipment(id, LANE, CargoClass.GENERAL, kilos, readyDay, dueDay);
    }

    private static String voyageOf(BookingPlan plan, String shipmentId) {
        return plan.bookingOf(shipmentId).map(Booking::voyage).orElse("none");
    }

    @Nested
    class OneShipment {

        @Test
        void takesTheEarliestDepartureBetweenReadyAndDue() {
            sailing("CB3", 40, 9_000);
            sailing("CB1", 5, 9_000);
            sailing("CB2", 10, 9_000);

            assertEquals("CB1", voyageBetween(0, 100));
            assertEquals("CB1", voyageBetween(5, 100));
            assertEquals("CB2", voyageBetween(6, 100));
            assertEquals("CB2", voyageBetween(10, 30));
            assertEquals("none", voyageBetween(10, 29));
            assertEquals("none", voyageBetween(41, 100));
        }

        private String voyageBetween(int readyDay, int dueDay) {
            return voyageOf(planner.plan(List.of(shipment("SH1", 9_000, readyDay, dueDay))), "SH1");
        }

        @ParameterizedTest
        @EnumSource(CargoClass.class)
        void sailsOnlyWhereItsClassIsAccepted(CargoClass cargo) {
            sailing("CB1", 5, 9_000);
            boolean accepted = cargo == CargoClass.GENERAL || cargo == CargoClass.REEFER;

            BookingPlan plan = planner.plan(List.of(new Shipment("SH1", LANE, cargo, 800, 0, 50)));

            assertEquals(accepted ? 1 : 0, plan.bookings().size());
            assertEquals(accepted ? 0 : 1, plan.rolled().size());
        }

        @Test
        void takesTheFirstRegisteredOfTwoDeparturesOnOneDay() {
            sailing("CB2", 5, 9_000);
            sailing("CB1", 5, 9_000);

            assertEquals("CB2", voyageOf(planner.plan(List.of(shipment("SH1", 100, 0, 50))), "SH1"));
        }
    }

    @Nested
    class SeveralShipments {

        @Test
        void fillAVoyageToTheLastKiloAndThenTheNext() {
            sailing("CB1", 5, 9_000);
            sailing("CB2", 8, 9_000);

            BookingPlan plan = planner.plan(
                    List.of(shipment("SH1", 6_000, 0, 50), shipment("SH2", 3_000, 0, 50), shipment("SH3", 1, 0, 50)));

            assertEquals("CB1", voyageOf(plan, "SH1"));
            assertEquals("CB1", voyageOf(plan, "SH2"));
            assertEquals("CB2", voyageOf(plan, "SH3"));
            assertEquals(9_000, plan.loadedKilos("CB1"));
            assertEquals(1, plan.loadedKilos("CB2"));
            assertEquals(0, plan.loadedKilos("CB3"));
        }

        @Test
        void areServedByUrgencyAndThenByWeight() {
            sailing("CB1", 5, 9_000);

            BookingPlan plan = planner.plan(
                    List.of(shipment("SH1", 5_000, 0, 50), shipment("SH2", 6_000, 0, 50), shipment("SH3", 200, 0, 40)));

            assertEquals(List.of("SH3", "SH2"), plan.bookings().stream().map(b -> b.shipment().id()).toList());
            assertEquals(List.of("SH1"), plan.rolled().stream().map(Shipment::id).toList());
        }

        @Test
        void mayShareAReference() {
            sailing("CB1", 5, 9_000);
            sailing("CB2", 8, 9_000);

            BookingPlan plan = planner.plan(List.of(shipment("SH1", 9_000, 0, 50), shipment("SH1", 9_000, 0, 50)));

            assertEquals(2, plan.bookings().size());
            assertEquals("CB1", voyageOf(plan, "SH1"));
        }

        @Test
        void ofAnEarlierPlanDoNotCount() {
            sailing("CB1", 5, 9_000);
            List<Shipment> shipments = List.of(shipment("SH1", 9_000, 0, 50));

            assertEquals(Optional.of("CB1"), planner.plan(shipments).bookingOf("SH1").map(Booking::voyage));
            assertEquals(Optional.of("CB1"), planner.plan(shipments).bookingOf("SH1").map(Booking::voyage));
        }
    }

    @Test
    void everyBookingIsTheEarliestThatHadRoom() {
        Season season = new Season(1, 3);
        SailingBook sailings = season.sailings(20);
        List<Shipment> shipments = season.shipments(40);

        BookingPlan plan = new BookingPlanner(sailings).plan(shipments);

        assertEquals(shipments.size(), plan.bookings().size() + plan.rolled().size());
        for (int i = 0; i < plan.bookings().size(); i++) {
            Booking booking = plan.bookings().get(i);
            List<Booking> before = plan.bookings().subList(0, i);
            Sailing chosen = sailings.find(booking.voyage()).orElseThrow();
            assertTrue(chosen.suits(booking.shipment()) && !full(chosen, booking.shipment(), before));
            for (Sailing other : sailings.departures(booking.shipment().lane())) {
                assertTrue(other.departureDay() >= chosen.departureDay()
                        || !other.suits(booking.shipment())
                        || full(other, booking.shipment(), before));
            }
        }
    }

    private static boolean full(Sailing sailing, Shipment shipment, List<Booking> before) {
        int kilos = shipment.kilos();
        for (Booking booking : before) {
            if (booking.voyage().equals(sailing.voyage())) {
                kilos += booking.shipment().kilos();
            }
        }
        return kilos > sailing.capacityKilos();
    }
}
