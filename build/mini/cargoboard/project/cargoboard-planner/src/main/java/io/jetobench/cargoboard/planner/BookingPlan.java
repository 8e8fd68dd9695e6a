package io.jetobench.cargoboard.planner;

import io.jetobench.cargoboard.model.Shipment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Which shipment sails on which voyage, and which ones found no place. */
public final class BookingPlan {

    private final List<Booking> bookings = new ArrayList<>();
    private final List<Shipment> rolled = new ArrayList<>();

    void book(Shipment shipment, String voyage) {
        bookings.add(new Booking(shipment, voyage));
    }

    void roll(Shipment shipment) {
        rolled.add(shipment);
    }

    /** All bookings in the order in which they were made. */
    public List<Booking> bookings() {
        return Collections.unmodifiableList(bookings);
    }

    /** The shipments without a place, in the order in which they were looked at. */
    public List<Shipment> rolled() {
        return Collections.unmodifiableList(rolled);
    }

    /** The booking of the shipment with the given reference; the first one if the reference occurs twice. */
    public Optional<Booking> bookingOf(String shipmentId) {
        for (Booking booking : bookings) {
            if (booking.shipment().id().equals(shipmentId)) {
                return Optional.of(booking);
            }
        }
        return Optional.empty();
    }

    /** What is booked on a voyage so far, in kilograms; 0 for a voyage without bookings. */
    public int loadedKilos(String voyage) {
        int kilos = 0;
        for (Booking booking : bookings) {
            if (booking.voyage().equals(voyage)) {
                kilos += booking.shipment().kilos();
            }
        }
        return kilos;
    }
}
