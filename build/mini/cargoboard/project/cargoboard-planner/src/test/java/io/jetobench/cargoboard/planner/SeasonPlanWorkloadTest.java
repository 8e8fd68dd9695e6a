package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.RateCard;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import io.jetobench.cargoboard.model.Shipment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The yearly exercise: a whole season is planned and priced in one go. */
class SeasonPlanWorkloadTest {

    private static final int SAILINGS = 1_400;
    private static final int SHIPMENTS = 3_000;

    @Test
    void plansAndPricesASeason() {
        Season season = new Season(1_951, 12);
        SailingBook sailings = season.sailings(SAILINGS);
        List<Shipment> shipments = season.shipments(SHIPMENTS);

        BookingPlan plan = new BookingPlanner(sailings).plan(shipments);
        RateCard rates = RateCard.startingAt(110).from(3_000, 90).from(12_000, 70).build();
        long cents = new CostEstimator(sailings, rates, 25).total(plan);

        assertEquals(SHIPMENTS, plan.bookings().size() + plan.rolled().size());
        assertTrue(plan.bookings().size() > SHIPMENTS / 2);
        assertTrue(cents > 0);
        for (Sailing sailing : sailings.all()) {
            assertTrue(plan.loadedKilos(sailing.voyage()) <= sailing.capacityKilos());
        }
        for (Booking booking : plan.bookings()) {
            assertEquals(booking, plan.bookingOf(booking.shipment().id()).orElseThrow());
        }
    }
}
