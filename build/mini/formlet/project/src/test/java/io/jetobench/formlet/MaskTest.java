package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskTest {

    @ParameterizedTest
    @CsvSource({
        "AA-9999, ab1234, AB-1234",
        "AA-9999, AB-1234, AB-1234",
        "AA-9999, ' a b 12 34 ', AB-1234",
        "99/99, 0724, 07/24",
        "(999) 9, 1234, (123) 4",
        "A1-9, x7, X1-7",
        "A1-9, x17, X1-7"
    })
    void bringsWhatWasTypedIntoShape(String shape, String typed, String expected) {
        assertEquals(Optional.of(expected), Mask.of(shape).apply(typed));
    }

    @ParameterizedTest
    @CsvSource({"AA-9999, ''", "AA-9999, ab123", "AA-9999, ab12345", "AA-9999, 1b1234", "AA-9999, ab--1234", "99/99, 07-24"})
    void refusesWhatDoesNotFit(String shape, String typed) {
        assertEquals(Optional.empty(), Mask.of(shape).apply(typed));
    }

    @Test
    void needsAShape() {
        assertThrows(IllegalArgumentException.class, () -> Mask.of(""));
    }

    @Test
    void changesNothingThatIsInShapeAlready() {
        Mask mask = Mask.of("AAA 99-99 A9");
        Random random = new Random(8);
        StringBuilder typed = new StringBuilder();
        for (int i = 0; i < 60_000; i++) {
            typed.setLength(0);
            typed.append(letter(random)).append(letter(random)).append(letter(random)).append(' ');
            typed.append(10 + random.nextInt(90)).append('-').append(10 + random.nextInt(90)).append(' ');
            typed.append(letter(random)).append(random.nextInt(10));
            String inShape = typed.toString();

            assertEquals(inShape, mask.apply(inShape).orElse("refused"));
        }
    }

    private static char letter(Random random) {
        return (char) ('A' + random.nextInt(26));
    }
}
