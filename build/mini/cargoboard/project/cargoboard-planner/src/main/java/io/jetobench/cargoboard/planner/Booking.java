package io.jetobench.cargoboard.planner;

import io.jetobench.cargoboard.model.Shipment;
import java.util.Objects;

/**
 * A shipment's place on a voyage.
 *
 * @param shipment what is carried
 * @param voyage   number of the voyage that carries it
 */
public record Booking(Shipment shipment, String voyage) {

    public Booking {
        Objects.requireNonNull(shipment, "shipment");
        Objects.requireNonNull(voyage, "voyage");
    }
}
