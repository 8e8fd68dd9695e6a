package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumsTest {

    @ParameterizedTest
    @ValueSource(strings = {"4111 1111 1111 1111", "79927398713", "00", "18"})
    void acceptsNumbersOfLuhn(String number) {
        assertTrue(Checksums.LUHN.isValid(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "4111 1111 1111 1112", "7992739871x", "-18"})
    void refusesOtherNumbers(String number) {
        assertFalse(Checksums.LUHN.isValid(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "NO93 8601 1117 947"})
    void acceptsAccounts(String account) {
        assertTrue(Checksums.IBAN.isValid(account));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "DE89", "DE88 3704 0044 0532 0130 00", "de89370400440532013000", "DE8937040044053201300-"})
    void refusesOtherAccounts(String account) {
        assertFalse(Checksums.IBAN.isValid(account));
    }

    @Test
    void oneOfTenNumbersIsOfLuhn() {
        for (int tens = 0; tens < 6_000; tens++) {
            int valid = 0;
            for (int ones = 0; ones < 10; ones++) {
                valid += Checksums.LUHN.isValid(Integer.toString(1_000_000 + tens * 10 + ones)) ? 1 : 0;
            }
            assertEquals(1, valid);
        }
    }

    @Test
    void noSingleMistypedDigitSlipsThroughAnAccount() {
        String account = "NO9386011117947";
        for (int i = 2; i < account.length(); i++) {
            for (char digit = '0'; digit <= '9'; digit++) {
                StringBuilder mistyped = new StringBuilder(account);
                mistyped.setCharAt(i, digit);
                assertEquals(digit == account.charAt(i), Checksums.IBAN.isValid(mistyped.toString()));
            }
        }
    }

    @Test
    void everyAccountHasCheckDigits() {
        char[] account = "FI00 1234 5600 0000 00".toCharArray();
        for (int number = 0; number < 200; number++) {
            account[18] = (char) ('0' + number / 100 % 10);
            account[20] = (char) ('0' + number / 10 % 10);
            account[21] = (char) ('0' + number % 10);
            int valid = 0;
            for (int check = 2; check <= 98; check++) {
                account[2] = (char) ('0' + check / 10);
                account[3] = (char) ('0' + check % 10);
                valid += Checksums.IBAN.isValid(new String(account)) ? 1 : 0;
            }
            assertEquals(1, valid);
        }
    }
}
