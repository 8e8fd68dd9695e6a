package io.jetobench.formlet;

import java.util.Optional;

/** A rule in executable form. */
@FunctionalInterface
interface Check {

    /** What is wrong with a value; nothing if it is right. */
    Optional<String> problemWith(String value);
}
