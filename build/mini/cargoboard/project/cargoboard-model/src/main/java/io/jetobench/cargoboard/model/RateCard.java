package io.jetobench.cargoboard.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Freight rates with weight breaks: the heavier the shipment, the lower the rate.
 *
 * <p>As is usual in the trade, a shipment just below a break is charged as if it had the weight of the break where that
 * is cheaper.
 */
public final class RateCard {

    private static final int KILOS_PER_UNIT = 100;

    private final List<Break> breaks;

    /**
     * A rate and the weight from which it applies.
     *
     * @param fromKilos    lowest weight at this rate
     * @param centsPerUnit price of every 100 kg begun
     */
    public record Break(int fromKilos, int centsPerUnit) {}

    private RateCard(List<Break> breaks) {
        this.breaks = List.copyOf(breaks);
    }

    /** Starts a card with the rate for the lightest shipments. */
    public static Builder startingAt(int centsPerUnit) {
        return new Builder(centsPerUnit);
    }

    /** What carrying the given weight costs, in cents. */
    public long charge(int kilos) {
        if (kilos <= 0) {
            throw new IllegalArgumentException("Cannot price " + kilos + " kg");
        }
        long cheapest = Long.MAX_VALUE;
        for (Break rate : breaks) {
            long chargeableKilos = Math.max(kilos, rate.fromKilos());
            long units = (chargeableKilos + KILOS_PER_UNIT - 1) / KILOS_PER_UNIT;
            cheapest = Math.min(cheapest, units * rate.centsPerUnit());
        }
        return cheapest;
    }

    public List<Break> breaks() {
        return breaks;
    }

    /** Collects the breaks of a card from light to heavy. */
    public static final class Builder {

        private final List<Break> breaks = new ArrayList<>();

        private Builder(int centsPerUnit) {
            append(new Break(0, centsPerUnit));
        }

        /**
         * Adds a break.
         *
         * @throws IllegalArgumentException unless it is heavier and cheaper than the one before
         */
        public Builder from(int kilos, int centsPerUnit) {
            Break last = breaks.get(breaks.size() - 1);
            if (kilos <= last.fromKilos() || centsPerUnit >= last.centsPerUnit()) {
                throw new IllegalArgumentException("A break must be heavier and cheaper than the one before");
            }
            append(new Break(kilos, centsPerUnit));
            return this;
        }

        private void append(Break rate) {
            if (rate.centsPerUnit() <= 0) {
                throw new IllegalArgumentException("A rate must be positive, got " + rate.centsPerUnit());
            }
            breaks.add(rate);
        }

        public RateCard build() {
            return new RateCard(breaks);
        }
    }
}
