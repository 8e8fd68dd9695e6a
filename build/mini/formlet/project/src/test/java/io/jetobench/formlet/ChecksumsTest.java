package io.jetobench.formlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChecksumsTest {

    @Test
    void acceptsNumbersOfLuhn() {
        for (String number : List.of("4111 1111 1111 1111", "79927398713", "00", "18")) {
            assertTrue(Checksums.LUHN.isValid(number));
        }
    }

    @Test
    void refusesOtherNumbers() {
        for (String number : List.of("", "0", "4111 1111 1111 1112", "7992739871x", "-18")) {
            assertFalse(Checksums.LUHN.isValid(number));
        }
    }

    @Test
    void acceptsAccounts() {
        for (String account : List.of("DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "NO93 8601 1117 947")) {
            assertTrue(Checksums.IBAN.isValid(account));
        }
    }

    @Test
    void refusesOtherAccounts() {
        List<String> mistyped = List.of(
                "", "DE89", "DE88 3704 0044 0532 0130 00", "de89370400440532013000", "DE8937040044053201300-");
        for (String account : mistyped) {
            assertFalse(Checksums.IBAN.isValid(account));
        }
    }

    @Test
    void oneOfTenNumbersIsOfLuhn() {
        for (int tens = 0; tens < 20; tens++) {
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
    void anAccountHasOnePairOfCheckDigits() {
        int valid = 0;
        for (int check = 2; check <= 98; check++) {
            String digits = (check < 10 ? "0" : "") + check;
            valid += Checksums.IBAN.isValid("FI" + digits + "12345600000785") ? 1 : 0;
        }
        assertEquals(1, valid);
    }
}
