package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoneyTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.0", ".50", "-.50", "1.000", "1,00", "+1.00", "--1.00", "1.-5", "a.00"})
    void refusesWhatIsNoAmount(String text) {
        assertThrows(LedgerException.class, () -> Money.parse(text));
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
        assertThrows(IllegalArgumentException.class, () -> new Money(1).allocate(0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Money(1).allocate(2, -1));
    }

    @Test
    void readsWhatItWrote() {
        for (int cents = -50_000; cents <= 50_000; cents++) {
            Money money = new Money(cents);
            assertEquals(money, Money.parse(money.toString()));
        }
    }

    @Test
    void roundsAsBigDecimalDoes() {
        for (long dividend = -500; dividend <= 500; dividend++) {
            for (long divisor = 1; divisor <= 100; divisor++) {
                BigDecimal exact = BigDecimal.valueOf(dividend)
                        .divide(BigDecimal.valueOf(divisor), 0, RoundingMode.HALF_EVEN);
                assertEquals(exact.longValue(), Money.divideHalfEven(dividend, divisor));
            }
        }
    }

    @Test
    void allocatesEveryCentAndNoneTooFar() {
        Random random = new Random(5);
        for (int round = 0; round < 12_000; round++) {
            int[] weights = random.ints(4, 0, 50).toArray();
            weights[0]++;
            long total = random.nextInt(2_000_001) - 1_000_000;
            checkShares(total, weights, new Money(total).allocate(weights));
        }
    }

    private static void checkShares(long total, int[] weights, Money[] shares) {
        long weightSum = 0;
        long shareSum = 0;
        for (int i = 0; i < weights.length; i++) {
            weightSum += weights[i];
            shareSum += shares[i].cents();
        }
        assertEquals(total, shareSum);
        for (int i = 0; i < weights.length; i++) {
            double exact = (double) total * weights[i] / weightSum;
            assertTrue(Math.abs(exact - shares[i].cents()) < 2 && (weights[i] > 0 || shares[i].isZero()));
        }
    }
}
