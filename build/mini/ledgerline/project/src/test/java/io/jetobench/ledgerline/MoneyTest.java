package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class MoneyTest {

    @Test
    void refusesWhatIsNoAmount() {
        List<String> texts =
                List.of("", "1", "1.0", ".50", "-.50", "1.000", "1,00", "+1.00", "--1.00", "1.-5", "a.00");
        for (String text : texts) {
            assertThrows(LedgerException.class, () -> Money.parse(text), text);
        }
    }

    @Test
    void refusesToOverflow() {
        Money most = new Money(Long.MAX_VALUE);

        assertThrows(ArithmeticException.class, () -> most.plus(new Money(1)));
        assertThrows(ArithmeticException.class, () -> Money.parse("92233720368547758.08"));
        assertEquals(most, Money.parse(most.toString()));
    }

    @Test
    void givesLeftOverCentsToTheFirstShares() {
        Money[] shares = new Money(100).allocate(1, 0, 1, 1);

        assertArrayEquals(new Money[] {new Money(34), Money.ZERO, new Money(33), new Money(33)}, shares);
        for (int[] weights : new int[][] {{}, {0, 0}, {2, -1}}) {
            assertThrows(IllegalArgumentException.class, () -> new Money(1).allocate(weights));
        }
    }

    @Test
    void readsWhatItWrote() {
        for (int cents = -110; cents <= 110; cents++) {
            Money money = new Money(cents);
            assertEquals(money, Money.parse(money.toString()));
        }
        assertEquals("-1200.05", Money.parse("-1200.05").toString());
    }

    @Test
    void roundsHalvesToTheEvenCent() {
        long[] rounded = {-2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2};
        for (int i = 0; i < rounded.length; i++) {
            assertEquals(rounded[i], Money.divideHalfEven(i - 5, 2));
        }
        assertEquals(1, Money.divideHalfEven(2, 3));
        assertEquals(-1, Money.divideHalfEven(-2, 3));
        assertEquals(0, Money.divideHalfEven(1, 3));
    }

    @Test
    void allocatesDebtsAsItAllocatesMoney() {
        Money[] shares = new Money(-1_001).allocate(1, 2, 2);

        assertArrayEquals(new Money[] {new Money(-201), new Money(-400), new Money(-400)}, shares);
    }
}
