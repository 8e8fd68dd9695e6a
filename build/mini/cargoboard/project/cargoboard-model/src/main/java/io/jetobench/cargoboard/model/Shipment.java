package io.jetobench.cargoboard.model;

import java.util.Objects;

/**
 * Cargo that a customer wants carried.
 *
 * @param id       the customer's reference
 * @param lane     from where to where
 * @param cargo    kind of cargo
 * @param kilos    gross weight
 * @param readyDay first day on which it can be loaded
 * @param dueDay   last day on which it may arrive
 */
public record Shipment(String id, Lane lane, CargoClass cargo, int kilos, int readyDay, int dueDay) {

    public Shipment {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(lane, "lane");
        Objects.requireNonNull(cargo, "cargo");
        if (kilos <= 0) {
            throw new IllegalArgumentException("Shipment " + id + " weighs " + kilos + " kg");
        }
        if (dueDay < readyDay) {
            throw new IllegalArgumentException("Shipment " + id + " is due before it is ready");
        }
    }
}
