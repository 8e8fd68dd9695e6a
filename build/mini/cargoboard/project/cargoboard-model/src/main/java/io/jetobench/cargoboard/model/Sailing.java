package io.jetobench.cargoboard.model;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * One departure of one vessel on one lane.
 *
 * @param voyage        the voyage number, unique within a timetable
 * @param lane          from where to where
 * @param departureDay  day of departure
 * @param transitDays   days under way, at least one
 * @param capacityKilos what the vessel can carry on this voyage
 * @param accepted      the classes of cargo it takes, at least one
 */
public record Sailing(
        String voyage, Lane lane, int departureDay, int transitDays, int capacityKilos, Set<CargoClass> accepted) {

    public Sailing {
        Objects.requireNonNull(voyage, "voyage");
        Objects.requireNonNull(lane, "lane");
        if (transitDays < 1) {
            throw new IllegalArgumentException("Voyage " + voyage + " needs " + transitDays + " days");
        }
        if (capacityKilos < 0) {
            throw new IllegalArgumentException("Voyage " + voyage + " carries " + capacityKilos + " kg");
        }
        if (accepted.isEmpty()) {
            throw new IllegalArgumentException("Voyage " + voyage + " accepts no cargo");
        }
        accepted = Collections.unmodifiableSet(EnumSet.copyOf(accepted));
    }

    public int arrivalDay() {
        return departureDay + transitDays;
    }

    /** Whether the shipment may travel on this voyage, leaving aside how full the vessel is. */
    public boolean suits(Shipment shipment) {
        return lane.equals(shipment.lane())
                && departureDay >= shipment.readyDay()
                && arrivalDay() <= shipment.dueDay()
                && accepted.contains(shipment.cargo());
    }
}
