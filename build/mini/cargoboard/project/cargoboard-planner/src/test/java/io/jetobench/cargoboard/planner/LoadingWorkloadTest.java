package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.Shipment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stevedore tries vessel after vessel until one takes the whole load, for one departure after the other. */
class LoadingWorkloadTest {

    private static final int DEPARTURES = 20;

    @Test
    void findsTheSmallestVesselThatTakesEverything() {
        List<Shipment> shipments = new Season(404, 5).shipments(400);
        long kilos = shipments.stream().mapToLong(Shipment::kilos).sum();
        int lowerBound = (int) (kilos / 60_000);

        int smallest = smallestVessel(shipments, lowerBound - 20);
        assertTrue(smallest > lowerBound && smallest < lowerBound + 20, smallest + " bays");
        assertTrue(ashore(new StowagePlanner(smallest - 1, 60_000).stow(shipments)) > 0);
        for (int departure = 1; departure < DEPARTURES; departure++) {
            assertEquals(smallest, smallestVessel(shipments, lowerBound - 20));
        }
    }

    private static int smallestVessel(List<Shipment> shipments, int bays) {
        int enough = bays;
        while (ashore(new StowagePlanner(enough, 60_000).stow(shipments)) > 0) {
            enough++;
        }
        return enough;
    }

    private static int ashore(int[] bayOf) {
        int ashore = 0;
        for (int bay : bayOf) {
            ashore += bay == StowagePlanner.LEFT_ASHORE ? 1 : 0;
        }
        return ashore;
    }
}
