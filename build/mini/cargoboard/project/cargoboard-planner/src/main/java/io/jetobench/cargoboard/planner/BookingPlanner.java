package io.jetobench.cargoboard.planner;

import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import io.jetobench.cargoboard.model.Shipment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Gives every shipment the earliest departure that suits it and still has room.
 *
 * <p>The shipment that is due first is served first; of two due on one day, the heavier one. A voyage is never loaded
 * beyond its capacity.
 */
public final class BookingPlanner {

    private static final Comparator<Shipment> MOST_URGENT_FIRST = Comparator.comparingInt(Shipment::dueDay)
            .thenComparing(Comparator.comparingInt(Shipment::kilos).reversed());

    private final SailingBook book;

    public BookingPlanner(SailingBook book) {
        this.book = Objects.requireNonNull(book, "book");
    }

    /** Plans the shipments on the sailings that are in the book now. */
    public BookingPlan plan(List<Shipment> shipments) {
        List<Shipment> queue = new ArrayList<>(shipments);
        queue.sort(MOST_URGENT_FIRST);
        BookingPlan plan = new BookingPlan();
        for (Shipment shipment : queue) {
            Optional<Sailing> sailing = earliestWithRoom(shipment, plan);
            if (sailing.isPresent()) {
                plan.book(shipment, sailing.get().voyage());
            } else {
                plan.roll(shipment);
            }
        }
        return plan;
    }

    private Optional<Sailing> earliestWithRoom(Shipment shipment, BookingPlan plan) {
        for (Sailing sailing : book.departures(shipment.lane())) {
            if (sailing.suits(shipment) && hasRoom(sailing, shipment, plan)) {
                return Optional.of(sailing);
            }
        }
        return Optional.empty();
    }

    private static boolean hasRoom(Sailing sailing, Shipment shipment, BookingPlan plan) {
        return plan.loadedKilos(sailing.voyage()) <= sailing.capacityKilos() - shipment.kilos();
    }
}
