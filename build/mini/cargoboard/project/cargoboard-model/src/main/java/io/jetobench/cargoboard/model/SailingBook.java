package io.jetobench.cargoboard.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The timetable: every sailing that can be booked. */
public final class SailingBook {

    private static final Comparator<Sailing> BY_DEPARTURE = Comparator.comparingInt(Sailing::departureDay);

    private final List<Sailing> sailings = new ArrayList<>();

    /**
     * Adds a sailing.
     *
     * @throws IllegalArgumentException if its voyage number is taken
     */
    public void register(Sailing sailing) {
        if (find(sailing.voyage()).isPresent()) {
            throw new IllegalArgumentException("Voyage " + sailing.voyage() + " is already in the book");
        }
        sailings.add(sailing);
    }

    /**
     * Takes a sailing out of the book. Its voyage number may be used again.
     *
     * @return whether there was one
     */
    public boolean withdraw(String voyage) {
        return sailings.removeIf(sailing -> sailing.voyage().equals(voyage));
    }

    /** The sailing with the given voyage number. */
    public Optional<Sailing> find(String voyage) {
        for (Sailing sailing : sailings) {
            if (sailing.voyage().equals(voyage)) {
                return Optional.of(sailing);
            }
        }
        return Optional.empty();
    }

    /** The sailings on a lane by day of departure; those of one day in the order in which they were registered. */
    public List<Sailing> departures(Lane lane) {
        List<Sailing> found = new ArrayList<>();
        for (Sailing sailing : sailings) {
            if (sailing.lane().equals(lane)) {
                found.add(sailing);
            }
        }
        found.sort(BY_DEPARTURE);
        return Collections.unmodifiableList(found);
    }

    /** All sailings in the order in which they were registered. */
    public List<Sailing> all() {
        return Collections.unmodifiableList(sailings);
    }

    public int size() {
        return sailings.size();
    }
}
