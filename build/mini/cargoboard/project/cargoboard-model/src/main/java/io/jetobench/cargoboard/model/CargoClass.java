package io.jetobench.cargoboard.model;

/** What kind of cargo a shipment is, as far as stowing it is concerned. */
public enum CargoClass {
    GENERAL,
    REEFER,
    LIQUID,
    HAZARDOUS;

    /** Whether cargo of this class and of {@code other} may lie in the same bay. */
    public boolean mayShareBayWith(CargoClass other) {
        return this == other || !(separates(other) || other.separates(this));
    }

    private boolean separates(CargoClass other) {
        return this == HAZARDOUS && other != GENERAL;
    }
}
