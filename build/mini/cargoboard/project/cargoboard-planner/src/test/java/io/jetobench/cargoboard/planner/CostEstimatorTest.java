package io.jetobench.cargoboard.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jetobench.cargoboard.model.CargoClass;
import io.jetobench.cargoboard.model.Lane;
import io.jetobench.cargoboard.model.RateCard;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import io.jetobench.cargoboard.model.Shipment;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostEstimatorTest {

    private static final Lane LANE = Lane.of("DEHAM", "BRSSZ");
    private static final RateCard FREIGHT = RateCard.startingAt(100).from(10_000, 80).build();

    private final SailingBook book = new SailingBook();
    private final CostEstimator estimator = new CostEstimator(book, FREIGHT, 30);

    @ParameterizedTest
    @CsvSource({"1000, 10, 1000", "1000, 9, 1030", "1001, 9, 1160", "12000, 0, 13200"})
    void chargesFreightAndTheDaysOnTheQuay(int kilos, int readyDay, long cents) {
        register("CB1", 10);
        Booking booking = new Booking(new Shipment("SH1", LANE, CargoClass.GENERAL, kilos, readyDay, 60), "CB1");

        assertEquals(cents, estimator.cost(booking));
    }

    @Test
    void leavesOutVoyagesThatHaveBeenWithdrawn() {
        register("CB1", 10);
        register("CB2", 12);
        BookingPlan plan = new BookingPlanner(book)
                .plan(List.of(
                        new Shipment("SH1", LANE, CargoClass.GENERAL, 1_000, 10, 60),
                        new Shipment("SH2", LANE, CargoClass.GENERAL, 2_000, 12, 60)));
        assertEquals(3_000, estimator.total(plan));

        book.withdraw("CB2");

        assertEquals(1_000, estimator.total(plan));
    }

    @Test
    void risesByExactlyTheStorageRate() {
        Season season = new Season(77, 3);
        SailingBook sailings = season.sailings(60);
        List<Shipment> shipments = season.shipments(90);
        BookingPlan plan = new BookingPlanner(sailings).plan(shipments);
        long tonneDays = new CostEstimator(sailings, FREIGHT, 1).total(plan)
                - new CostEstimator(sailings, FREIGHT, 0).total(plan);
        assertTrue(tonneDays > 0);

        long previous = new CostEstimator(sailings, FREIGHT, 0).total(plan);
        for (int rate = 1; rate <= 1_000; rate++) {
            long total = new CostEstimator(sailings, FREIGHT, rate).total(plan);
            assertEquals(tonneDays, total - previous);
            previous = total;
        }
    }

    private void register(String voyage, int departureDay) {
        book.register(new Sailing(voyage, LANE, departureDay, 15, 50_000, EnumSet.of(CargoClass.GENERAL)));
    }
}
