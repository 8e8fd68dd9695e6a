package io.jetobench.cargoboard.model;

import java.util.Objects;

/**
 * A direct connection from one port to another.
 *
 * @param origin      code of the port of loading, such as {@code NLRTM}
 * @param destination code of the port of discharge
 */
public record Lane(String origin, String destination) {

    private static final int CODE_LENGTH = 5;

    public Lane {
        requirePortCode(origin);
        requirePortCode(destination);
        if (origin.equals(destination)) {
            throw new IllegalArgumentException("A lane needs two ports, got " + origin + " twice");
        }
    }

    public static Lane of(String origin, String destination) {
        return new Lane(origin, destination);
    }

    private static void requirePortCode(String code) {
        Objects.requireNonNull(code, "port code");
        boolean wellFormed = code.length() == CODE_LENGTH;
        for (int i = 0; wellFormed && i < CODE_LENGTH; i++) {
            wellFormed = code.charAt(i) >= 'A' && code.charAt(i) <= 'Z';
        }
        if (!wellFormed) {
            throw new IllegalArgumentException("Not a port code: " + code);
        }
    }

    @Override
    public String toString() {
        return origin + "-" + destination;
    }
}
