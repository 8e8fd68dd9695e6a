package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.Shipment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stevedore tries vessel after vessel until one takes the whole load. */
class StowageWorkloadTest {

    @Test
    void findsTheSmallestVesselThatTakesEverything() {
        List<Shipment> shipments = new Season(404, 5).shipments(1_600);
        long kilos = shipments.stream().mapToLong(Shipment::kilos).sum();
        int lowerBound = (int) (kilos / 60_000);

        int smallest = 0;
        for (int bays = lowerBound - 60; smallest == 0; bays++) {
            if (ashore(new StowagePlanner(bays, 60_000).stow(shipments)) == 0) {
                smallest = bays;
            }
        }

        assertTrue(smallest > lowerBound && smallest < lowerBound + 20, smallest + " bays");
        assertTrue(ashore(new StowagePlanner(smallest - 1, 60_000).stow(shipments)) > 0);
    }

    private static int ashore(int[] bayOf) {
        int ashore = 0;
        for (int bay : bayOf) {
            ashore += bay == StowagePlanner.LEFT_ASHORE ? 1 : 0;
        }
        return ashore;
    }
}
