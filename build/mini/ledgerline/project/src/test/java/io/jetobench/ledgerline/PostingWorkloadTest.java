package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Books the same transactions into many ledgers. */
class PostingWorkloadTest {

    private static final int LEDGERS = 1_500;
    private static final int TRANSACTIONS = 200;

    @Test
    void booksManyTransactions() {
        List<Transaction> transactions = SampleBooks.transactions(TRANSACTIONS, new Random(23));
        AccountCode savings = new AccountCode("1000.10.2");
        Money expected = SampleBooks.ledger(transactions).balanceOf(savings);
        for (int i = 0; i < LEDGERS; i++) {
            Ledger ledger = SampleBooks.ledger(transactions);

            assertEquals(TRANSACTIONS, ledger.transactions().size());
            assertEquals(expected, ledger.balanceOf(savings));
        }
    }
}
