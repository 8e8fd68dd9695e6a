package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class AmountFormatTest {

    private static final AmountFormat EUROS = new AmountFormat('.', ',', 2);

    @Test
    void writesAndReadsAmounts() {
        assertWrittenAs("0,00", 0);
        assertWrittenAs("0,07", 7);
        assertWrittenAs("-0,07", -7);
        assertWrittenAs("1,00", 100);
        assertWrittenAs("1.234,56", 123_456);
        assertWrittenAs("-1.000.000,00", -100_000_000);
        assertWrittenAs("92.233.720.368.547.758,07", Long.MAX_VALUE);
        assertWrittenAs("-92.233.720.368.547.758,08", Long.MIN_VALUE);
    }

    private static void assertWrittenAs(String text, long amount) {
        assertEquals(text, EUROS.format(amount));
        assertEquals(amount, EUROS.parse(text));
    }

    @Test
    void writesCurrenciesWithoutDecimals() {
        AmountFormat yen = new AmountFormat(',', '.', 0);

        assertEquals("0", yen.format(0));
        assertEquals("1,234,567", yen.format(1_234_567));
        assertEquals(1_234_567, yen.parse("1,234,567"));
    }

    @Test
    void refusesWhatIsNotAnAmount() {
        List<String> mistakes =
                List.of("", "-", "1", "1,2", ",50", "1,2.3,45", "1.234.56", "1 234,56", "12,345", "x,00", "--1,00");
        for (String text : mistakes) {
            assertThrows(NumberFormatException.class, () -> EUROS.parse(text));
        }
    }

    @Test
    void refusesAmountsThatAreTooLarge() {
        assertThrows(ArithmeticException.class, () -> EUROS.parse("92.233.720.368.547.758,08"));
    }

    @Test
    void needsSeparatorsThatCanBeToldApart() {
        assertThrows(IllegalArgumentException.class, () -> new AmountFormat(',', ',', 2));
        assertThrows(IllegalArgumentException.class, () -> new AmountFormat('.', '1', 2));
        assertThrows(IllegalArgumentException.class, () -> new AmountFormat('.', ',', 5));
    }

    @Test
    void readsBackWhatItWrote() {
        for (int decimals = 0; decimals <= 4; decimals++) {
            AmountFormat format = new AmountFormat(' ', ',', decimals);
            for (long amount = 1; amount < 1_000_000_000_000L; amount *= 9) {
                assertEquals(amount, format.parse(format.format(amount)));
                assertEquals(-amount, format.parse(format.format(-amount)));
            }
        }
    }
}
