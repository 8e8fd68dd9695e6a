package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountFormatTest {

    private static final AmountFormat EUROS = new AmountFormat('.', ',', 2);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0; 0,00",
                "7; 0,07",
                "-7; -0,07",
                "100; 1,00",
                "123456; 1.234,56",
                "-100000000; -1.000.000,00",
                "9223372036854775807; 92.233.720.368.547.758,07",
                "-9223372036854775808; -92.233.720.368.547.758,08"
            })
    void writesAndReadsAmounts(long amount, String text) {
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

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "1", "1,2", ",50", "1,2.3,45", "1.234.56", "1 234,56", "12,345", "x,00", "--1,00"})
    void refusesWhatIsNotAnAmount(String text) {
        assertThrows(NumberFormatException.class, () -> EUROS.parse(text));
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

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void readsBackWhatItWrote(int decimals) {
        AmountFormat format = new AmountFormat(' ', ',', decimals);
        Random random = new Random(decimals);
        for (int i = 0; i < 8_000; i++) {
            long amount = random.nextLong() >> random.nextInt(63);
            assertEquals(amount, format.parse(format.format(amount)));
        }
    }
}
