package io.jetobench.cargoboard.planner;

import io.jetobench.cargoboard.model.CargoClass;
import io.jetobench.cargoboard.model.Shipment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Distributes the shipments of one voyage over the vessel's bays.
 *
 * <p>Heaviest first, each into the fullest bay that still takes it (best fit); of equally full bays the foremost. Cargo
 * that must be kept apart never shares a bay.
 */
public final class StowagePlanner {

    /** Stands for a shipment that no bay could take. */
    public static final int LEFT_ASHORE = -1;

    private final int bays;
    private final int bayKilos;

    /**
     * Makes a planner for one vessel.
     *
     * @param bays     number of bays, from bow to stern
     * @param bayKilos what each of them may carry
     */
    public StowagePlanner(int bays, int bayKilos) {
        if (bays < 1 || bayKilos < 1) {
            throw new IllegalArgumentException("A vessel needs bays that carry something");
        }
        this.bays = bays;
        this.bayKilos = bayKilos;
    }

    /**
     * Stows the shipments.
     *
     * @return for each shipment, in the order given, the index of its bay or {@link #LEFT_ASHORE}
     */
    public int[] stow(List<Shipment> shipments) {
        int[] bayOf = new int[shipments.size()];
        int[] freeKilos = new int[bays];
        Arrays.fill(freeKilos, bayKilos);
        int[] classesAboard = new int[bays];
        for (int index : heaviestFirst(shipments)) {
            Shipment shipment = shipments.get(index);
            int bay = bestFit(shipment, freeKilos, classesAboard);
            bayOf[index] = bay;
            if (bay != LEFT_ASHORE) {
                freeKilos[bay] -= shipment.kilos();
                classesAboard[bay] |= bit(shipment.cargo());
            }
        }
        return bayOf;
    }

    private static Integer[] heaviestFirst(List<Shipment> shipments) {
        Integer[] order = new Integer[shipments.size()];
        Arrays.setAll(order, index -> index);
        Arrays.sort(order, Comparator.comparingInt(index -> -shipments.get(index).kilos()));
        return order;
    }

    private int bestFit(Shipment shipment, int[] freeKilos, int[] classesAboard) {
        int forbidden = classesToAvoid(shipment.cargo());
        int best = LEFT_ASHORE;
        for (int bay = 0; bay < bays; bay++) {
            boolean fits = freeKilos[bay] >= shipment.kilos() && (classesAboard[bay] & forbidden) == 0;
            if (fits && (best == LEFT_ASHORE || freeKilos[bay] < freeKilos[best])) {
                best = bay;
            }
        }
        return best;
    }

    private static int classesToAvoid(CargoClass cargo) {
        int bits = 0;
        for (CargoClass other : CargoClass.values()) {
            bits |= cargo.mayShareBayWith(other) ? 0 : bit(other);
        }
        return bits;
    }

    private static int bit(CargoClass cargo) {
        return 1 << cargo.ordinal();
    }
}
