package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MaskTest {

    @Test
    void bringsWhatWasTypedIntoShape() {
        Mask plate = Mask.of("AA-9999");

        assertEquals(Optional.of("AB-1234"), plate.apply("ab1234"));
        assertEquals(Optional.of("AB-1234"), plate.apply("AB-1234"));
        assertEquals(Optional.of("AB-1234"), plate.apply(" a b 12 34 "));
        assertEquals(Optional.of("07/24"), Mask.of("99/99").apply("0724"));
        assertEquals(Optional.of("(123) 4"), Mask.of("(999) 9").apply("1234"));
        assertEquals(Optional.of("X1-7"), Mask.of("A1-9").apply("x7"));
        assertEquals(Optional.of("X1-7"), Mask.of("A1-9").apply("x17"));
    }

    @Test
    void refusesWhatDoesNotFit() {
        Mask plate = Mask.of("AA-9999");

        for (String typed : List.of("", "ab123", "ab12345", "1b1234", "ab--1234")) {
            assertEquals(Optional.empty(), plate.apply(typed));
        }
        assertEquals(Optional.empty(), Mask.of("99/99").apply("07-24"));
    }

    @Test
    void needsAShape() {
        assertThrows(IllegalArgumentException.class, () -> Mask.of(""));
    }

    @Test
    void changesNothingThatIsInShapeAlready() {
        Mask mask = Mask.of("AAA 99-99 A9");

        for (String inShape : List.of("ABC 12-34 D5", "AAA 99-99 A9", "ZZZ 00-00 Z0")) {
            assertEquals(inShape, mask.apply(inShape).orElse("refused"));
        }
    }
}
