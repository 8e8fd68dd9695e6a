package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.CargoClass;
import io.jetobench.cargoboard.model.Lane;
import io.jetobench.cargoboard.model.Shipment;
import java.util.List;
import org.junit.jupiter.api.Test;

class StowagePlannerTest {

    private static Shipment shipment(CargoClass cargo, int kilos) {
        return new Shipment("SH1", Lane.of("NLRTM", "SGSIN"), cargo, kilos, 0, 60);
    }

    private static Shipment general(int kilos) {
        return shipment(CargoClass.GENERAL, kilos);
    }

    @Test
    void prefersTheFullestBayThatStillFits() {
        int[] bays = new StowagePlanner(3, 10).stow(List.of(general(3), general(7), general(6), general(4)));

        assertArrayEquals(new int[] {0, 0, 1, 1}, bays);
    }

    @Test
    void leavesAshoreWhatFitsNowhere() {
        int[] bays = new StowagePlanner(2, 10).stow(List.of(general(11), general(9), general(9), general(2)));

        assertArrayEquals(
                new int[] {StowagePlanner.LEFT_ASHORE, 0, 1, StowagePlanner.LEFT_ASHORE}, bays);
    }

    @Test
    void needsBaysThatCarrySomething() {
        assertThrows(IllegalArgumentException.class, () -> new StowagePlanner(0, 10));
        assertThrows(IllegalArgumentException.class, () -> new StowagePlanner(3, 0));
    }

    @Test
    void keepsApartWhatMayNotShareABay() {
        assertTrue(share(CargoClass.GENERAL, CargoClass.HAZARDOUS));
        assertTrue(share(CargoClass.REEFER, CargoClass.LIQUID));
        assertTrue(share(CargoClass.HAZARDOUS, CargoClass.HAZARDOUS));
        assertFalse(share(CargoClass.HAZARDOUS, CargoClass.REEFER));
        assertFalse(share(CargoClass.REEFER, CargoClass.HAZARDOUS));
        assertFalse(share(CargoClass.LIQUID, CargoClass.HAZARDOUS));
    }

    private static boolean share(CargoClass first, CargoClass second) {
        int[] bays = new StowagePlanner(2, 100).stow(List.of(shipment(first, 60), shipment(second, 40)));
        return bays[0] == bays[1];
    }

    @Test
    void neverOverloadsABayNorMixesWhatMustBeApart() {
        int bays = 9;
        List<Shipment> shipments = new Season(5, 3).shipments(40);
        int[] bayOf = new StowagePlanner(bays, 40_000).stow(shipments);
        int[] kilos = new int[bays];
        for (int i = 0; i < bayOf.length; i++) {
            if (bayOf[i] != StowagePlanner.LEFT_ASHORE) {
                kilos[bayOf[i]] += shipments.get(i).kilos();
                assertTrue(kilos[bayOf[i]] <= 40_000);
                for (int j = 0; j < i; j++) {
                    assertTrue(bayOf[i] != bayOf[j]
                            || shipments.get(i).cargo().mayShareBayWith(shipments.get(j).cargo()));
                }
            }
        }
    }
}
