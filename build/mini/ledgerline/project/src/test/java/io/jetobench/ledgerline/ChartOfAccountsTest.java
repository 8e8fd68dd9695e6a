package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChartOfAccountsTest {

    @Test
    void refusesWhatIsNoCode() {
        for (String text : List.of("", ".", "1.", ".1", "1..2", "1a", "-1", "1 2")) {
            assertThrows(LedgerException.class, () -> new AccountCode(text), text);
        }
    }

    @Test
    void knowsTheParentOfACode() {
        assertEquals(Optional.of(new AccountCode("1000.20")), new AccountCode("1000.20.3").parent());
        assertEquals(Optional.empty(), new AccountCode("1000").parent());
    }

    @Test
    void isNotWithinACodeThatOnlyLooksAlike() {
        assertTrue(new AccountCode("100.5").isWithin(new AccountCode("100")));
        assertTrue(new AccountCode("100").isWithin(new AccountCode("100")));
        assertFalse(new AccountCode("1000").isWithin(new AccountCode("100")));
        assertFalse(new AccountCode("100").isWithin(new AccountCode("100.5")));
    }

    @Test
    void ordersPartsDirectlyAfterTheWhole() {
        List<String> ordered = List.of("1", "1.1", "1.1.1", "1.10", "1.2", "10", "10.1", "2", "21", "21.2");
        List<AccountCode> codes = new ArrayList<>();
        for (String value : ordered) {
            codes.add(0, new AccountCode(value));
        }
        Collections.sort(codes);

        assertEquals(ordered.toString(), codes.toString());
    }

    @Test
    void findsAccounts() {
        ChartOfAccounts chart = SampleBooks.chart();

        assertEquals("Savings", chart.get(new AccountCode("1000.10.2")).name());
        assertEquals(12, chart.accounts().size());
        assertThrows(LedgerException.class, () -> chart.get(new AccountCode("9999")));
    }

    @Test
    void refusesAccountsThatDoNotFit() {
        ChartOfAccounts chart = SampleBooks.chart();

        for (String code : List.of("5000.1", "4000.3", "6000")) {
            Account account = Account.of(code, "Misfit", AccountType.EXPENSE);
            assertThrows(LedgerException.class, () -> chart.add(account), code);
        }
    }
}
