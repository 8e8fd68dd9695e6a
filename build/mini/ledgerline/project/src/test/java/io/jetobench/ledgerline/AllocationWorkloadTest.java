package io.jetobench.ledgerline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Divides heating bills among the flats of a house. */
class AllocationWorkloadTest {

    private static final int BILLS = 25_000;
    private static final int FLATS = 40;

    @Test
    void dividesManyBills() {
        Random random = new Random(17);
        int[] areas = random.ints(FLATS, 25, 140).toArray();
        for (int bill = 0; bill < BILLS; bill++) {
            long cents = random.nextInt(5_000_000);
            long sum = 0;
            for (Money share : new Money(cents).allocate(areas)) {
                sum += share.cents();
            }
            assertEquals(cents, sum);
        }
    }
}
