package io.jetobench.formlet;

/**
 * A value that breaks its rule.
 *
 * @param field   the field that has the value
 * @param message what is wrong with it
 */
public record Violation(String field, String message) {}
