/**
 * Small tools for plain text.
 *
 * <p>Everything here works on strings in memory. Classes are immutable unless they say otherwise, so
 * instances can be shared between threads. Problems in the text that is read are reported as
 * {@link io.jetobench.textmill.SyntaxException} with the place where they were found.
 */
package io.jetobench.textmill;
