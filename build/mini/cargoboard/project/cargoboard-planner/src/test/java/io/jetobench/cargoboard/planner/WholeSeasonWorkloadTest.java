package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.RateCard;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import io.jetobench.cargoboard.model.Shipment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The yearly exercise: a season is planned and priced again and again until everybody agrees. */
class WholeSeasonWorkloadTest {

    private static final int SAILINGS = 500;
    private static final int SHIPMENTS = 1_000;
    private static final int DRAFTS = 3;
    private static final RateCard RATES = RateCard.startingAt(110).from(3_000, 90).from(12_000, 70).build();

    @Test
    void plansAndPricesASeason() {
        Season season = new Season(1_951, 12);
        SailingBook sailings = season.sailings(SAILINGS);
        List<Shipment> shipments = season.shipments(SHIPMENTS);

        long first = planAndPrice(sailings, shipments);
        assertTrue(first > 0);
        for (int draft = 1; draft < DRAFTS; draft++) {
            assertEquals(first, planAndPrice(sailings, shipments));
        }
    }

    private static long planAndPrice(SailingBook sailings, List<Shipment> shipments) {
        BookingPlan plan = new BookingPlanner(sailings).plan(shipments);

        assertEquals(SHIPMENTS, plan.bookings().size() + plan.rolled().size());
        assertTrue(plan.bookings().size() > SHIPMENTS / 4);
        for (Sailing sailing : sailings.all()) {
            assertTrue(plan.loadedKilos(sailing.voyage()) <= sailing.capacityKilos());
        }
        for (Booking booking : plan.bookings()) {
            assertEquals(booking, plan.bookingOf(booking.shipment().id()).orElseThrow());
        }
        return new CostEstimator(sailings, RATES, 25).total(plan);
    }
}
