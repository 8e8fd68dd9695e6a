package io.jetobench.cargoboard.planner;

import io.jetobench.cargoboard.model.Sailing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The fewest days under way between any two ports, changing vessels where that helps.
 *
 * <p>Every change costs a fixed number of days; waiting for the next departure is left out. The distances are computed
 * once with the algorithm of Floyd and Warshall.
 */
public final class TransitTable {

    private static final int UNREACHABLE = Integer.MAX_VALUE / 4;

    private final List<String> ports;
    private final int[][] days;
    private final int[][] firstStop;

    private TransitTable(List<String> ports) {
        this.ports = ports;
        this.days = new int[ports.size()][ports.size()];
        this.firstStop = new int[ports.size()][ports.size()];
        for (int[] row : days) {
            Arrays.fill(row, UNREACHABLE);
        }
    }

    /** Computes the table for the lanes that the given sailings serve. */
    public static TransitTable of(List<Sailing> sailings, int transferDays) {
        if (transferDays < 0) {
            throw new IllegalArgumentException("A change of vessels takes " + transferDays + " days");
        }
        SortedSet<String> codes = new TreeSet<>();
        for (Sailing sailing : sailings) {
            codes.add(sailing.lane().origin());
            codes.add(sailing.lane().destination());
        }
        TransitTable table = new TransitTable(new ArrayList<>(codes));
        for (Sailing sailing : sailings) {
            table.addLeg(sailing);
        }
        table.close(transferDays);
        return table;
    }

    private void addLeg(Sailing sailing) {
        int from = indexOf(sailing.lane().origin());
        int to = indexOf(sailing.lane().destination());
        if (sailing.transitDays() < days[from][to]) {
            days[from][to] = sailing.transitDays();
            firstStop[from][to] = to;
        }
    }

    private void close(int transferDays) {
        int n = ports.size();
        for (int via = 0; via < n; via++) {
            for (int from = 0; from < n; from++) {
                int before = days[from][via] + transferDays;
                if (from == via || before >= UNREACHABLE) {
                    continue;
                }
                for (int to = 0; to < n; to++) {
                    int total = before + days[via][to];
                    if (to != from && total < days[from][to]) {
                        days[from][to] = total;
                        firstStop[from][to] = firstStop[from][via];
                    }
                }
            }
        }
    }

    /** The days from one port to another; empty if there is no way, if both are the same or one is not served. */
    public OptionalInt days(String origin, String destination) {
        int from = indexOf(origin);
        int to = indexOf(destination);
        if (from < 0 || to < 0 || days[from][to] >= UNREACHABLE) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(days[from][to]);
    }

    /** The ports that the fastest way touches, both ends included; empty if there is no way. */
    public List<String> itinerary(String origin, String destination) {
        List<String> stops = new ArrayList<>();
        if (days(origin, destination).isPresent()) {
            int to = indexOf(destination);
            stops.add(origin);
            int at = indexOf(origin);
            while (at != to) {
                at = firstStop[at][to];
                stops.add(ports.get(at));
            }
        }
        return stops;
    }

    /** All ports served, in alphabetical order. */
    public List<String> ports() {
        return List.copyOf(ports);
    }

    private int indexOf(String port) {
        int index = Collections.binarySearch(ports, port);
        return Math.max(index, -1);
    }
}
