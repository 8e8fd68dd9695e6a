package io.jetobench.cargoboard.planner;

import io.jetobench.cargoboard.model.RateCard;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import java.util.Objects;

/** Prices a plan: freight for every booking, and storage for the days that cargo waits on the quay. */
public final class CostEstimator {

    private static final int KILOS_PER_TONNE = 1000;

    private final SailingBook book;
    private final RateCard freight;
    private final int storageCentsPerTonneDay;

    /**
     * Makes an estimator.
     *
     * @param book                    where the voyages of a plan are looked up
     * @param freight                 price of carriage
     * @param storageCentsPerTonneDay price of a day on the quay for every tonne begun
     */
    public CostEstimator(SailingBook book, RateCard freight, int storageCentsPerTonneDay) {
        this.book = Objects.requireNonNull(book, "book");
        this.freight = Objects.requireNonNull(freight, "freight");
        this.storageCentsPerTonneDay = storageCentsPerTonneDay;
    }

    /** What the whole plan costs, in cents. Bookings on voyages that have left the book are not charged. */
    public long total(BookingPlan plan) {
        long cents = 0;
        for (Booking booking : plan.bookings()) {
            cents += cost(booking);
        }
        return cents;
    }

    /** What one booking costs, in cents; 0 if its voyage has left the book. */
    public long cost(Booking booking) {
        return book.find(booking.voyage())
                .map(sailing -> freight.charge(booking.shipment().kilos()) + storage(booking, sailing))
                .orElse(0L);
    }

    private long storage(Booking booking, Sailing sailing) {
        int waitingDays = sailing.departureDay() - booking.shipment().readyDay();
        int tonnes = (booking.shipment().kilos() + KILOS_PER_TONNE - 1) / KILOS_PER_TONNE;
        return (long) waitingDays * tonnes * storageCentsPerTonneDay;
    }
}
