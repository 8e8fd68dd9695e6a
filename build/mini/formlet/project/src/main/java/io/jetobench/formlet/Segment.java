package io.jetobench.formlet;

import java.util.List;

/** A piece of a template. */
sealed interface Segment {

    /** Text that stands for itself. */
    record Literal(String text) implements Segment {}

    /** A place where a value goes. */
    record Field(String name, boolean upperCase) implements Segment {}

    /** A part that appears only if a value is there. */
    record Section(String name, List<Segment> body) implements Segment {}
}
