package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountCodeTest {

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "1.", ".1", "1..2", "1a", "-1", "1 2"})
    void refusesWhatIsNoCode(String text) {
        assertThrows(LedgerException.class, () -> new AccountCode(text));
    }

    @Test
    void knowsItsParent() {
        assertEquals(Optional.of(new AccountCode("1000.20")), new AccountCode("1000.20.3").parent());
        assertEquals(Optional.empty(), new AccountCode("1000").parent());
    }

    @Test
    void isNotWithinACodeThatOnlyLooksAlike() {
        assertTrue(new AccountCode("100.5").isWithin(new AccountCode("100")));
        assertFalse(new AccountCode("1000").isWithin(new AccountCode("100")));
        assertFalse(new AccountCode("100").isWithin(new AccountCode("100.5")));
    }

    /** Every code of up to four groups from a small set, against every other. */
    @Test
    void isWithinEveryCodeThatItsGroupsStartWith() {
        List<AccountCode> codes = allCodes(4);
        List<String[]> groups = codes.stream().map(code -> code.value().split("\\.")).toList();
        for (int i = 0; i < codes.size(); i++) {
            for (int j = 0; j < codes.size(); j++) {
                if (codes.get(i).isWithin(codes.get(j)) != startsWith(groups.get(i), groups.get(j))) {
                    assertEquals(startsWith(groups.get(i), groups.get(j)), codes.get(i).isWithin(codes.get(j)));
                }
            }
        }
    }

    @Test
    void ordersPartsDirectlyAfterTheWhole() {
        List<AccountCode> codes = allCodes(4);
        Collections.sort(codes);
        for (int i = 0; i < codes.size(); i++) {
            boolean inside = true;
            for (int j = i + 1; j < codes.size(); j++) {
                boolean within = codes.get(j).isWithin(codes.get(i));
                assertTrue(inside || !within);
                inside = within;
            }
        }
    }

    private static List<AccountCode> allCodes(int depth) {
        List<AccountCode> codes = new ArrayList<>();
        collect("", depth, codes);
        return codes;
    }

    private static void collect(String start, int depth, List<AccountCode> codes) {
        for (String group : List.of("1", "10", "2", "21")) {
            codes.add(new AccountCode(start + group));
            if (depth > 1) {
                collect(start + group + ".", depth - 1, codes);
            }
        }
    }

    private static boolean startsWith(String[] groups, String[] start) {
        return groups.length >= start.length
                && Arrays.equals(groups, 0, start.length, start, 0, start.length);
    }
}
