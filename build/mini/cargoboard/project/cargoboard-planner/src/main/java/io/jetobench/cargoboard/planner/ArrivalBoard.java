package io.jetobench.cargoboard.planner;

import io.jetobench.cargoboard.model.PortCalendar;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The board in the import office: what arrives at one port, and when it can be fetched. */
public final class ArrivalBoard {

    private static final Comparator<Line> IN_BOARD_ORDER =
            Comparator.comparingInt(Line::availableDay).thenComparing(Line::voyage);

    private final SailingBook book;
    private final String port;
    private final PortCalendar calendar;

    /**
     * One voyage on the board.
     *
     * @param availableDay first day on which the port hands the cargo out
     * @param voyage       the voyage number
     * @param shipments    how many shipments it brings
     * @param kilos        what they weigh together
     */
    public record Line(int availableDay, String voyage, int shipments, int kilos) {

        private Line plus(int moreKilos) {
            return new Line(availableDay, voyage, shipments + 1, kilos + moreKilos);
        }
    }

    public ArrivalBoard(SailingBook book, String port, PortCalendar calendar) {
        this.book = Objects.requireNonNull(book, "book");
        this.port = Objects.requireNonNull(port, "port");
        this.calendar = Objects.requireNonNull(calendar, "calendar");
    }

    /** The plan's arrivals by day, then by voyage number. Voyages that have left the book are not shown. */
    public List<Line> lines(BookingPlan plan) {
        Map<String, Line> byVoyage = new HashMap<>();
        for (Booking booking : plan.bookings()) {
            Optional<Sailing> sailing = book.find(booking.voyage());
            if (sailing.isPresent() && sailing.get().lane().destination().equals(port)) {
                Line soFar = byVoyage.getOrDefault(booking.voyage(), emptyLine(sailing.get()));
                byVoyage.put(booking.voyage(), soFar.plus(booking.shipment().kilos()));
            }
        }
        List<Line> lines = new ArrayList<>(byVoyage.values());
        lines.sort(IN_BOARD_ORDER);
        return lines;
    }

    private Line emptyLine(Sailing sailing) {
        return new Line(calendar.nextOpenDay(sailing.arrivalDay()), sailing.voyage(), 0, 0);
    }

    /** The board as text, one voyage a row. */
    public String render(BookingPlan plan) {
        StringBuilder text = new StringBuilder();
        text.append("Arrivals at ").append(port).append('\n');
        for (Line line : lines(plan)) {
            text.append("day ").append(line.availableDay());
            text.append("  ").append(line.voyage());
            text.append("  ").append(line.shipments()).append(line.shipments() == 1 ? " shipment" : " shipments");
            text.append("  ").append(line.kilos()).append(" kg\n");
        }
        return text.toString();
    }
}
