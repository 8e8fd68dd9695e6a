package io.jetobench.cargoboard.planner;

import io.jetobench.cargoboard.model.CargoClass;
import io.jetobench.cargoboard.model.Lane;
import io.jetobench.cargoboard.model.Sailing;
import io.jetobench.cargoboard.model.SailingBook;
import io.jetobench.cargoboard.model.Shipment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Test data: a season's sailings and shipments between invented ports, the same for the same seed. */
final class Season {

    private static final int DAYS = 180;
    private static final CargoClass[] CLASSES = CargoClass.values();

    private final Random random;
    private final String[] ports;

    Season(long seed, int ports) {
        this.random = new Random(seed);
        this.ports = new String[ports];
        for (int i = 0; i < ports; i++) {
            this.ports[i] = "XX" + letter(i / 26) + letter(i % 26) + "P";
        }
    }

    private static char letter(int index) {
        return (char) ('A' + index);
    }

    String port(int index) {
        return ports[index];
    }

    SailingBook sailings(int count) {
        SailingBook book = new SailingBook();
        for (int i = 0; i < count; i++) {
            Set<CargoClass> accepted = EnumSet.of(CargoClass.GENERAL, CLASSES[random.nextInt(CLASSES.length)]);
            int capacityKilos = 20_000 + random.nextInt(60_000);
            book.register(new Sailing(
                    "CB" + (1_000 + i), lane(), random.nextInt(DAYS), 3 + random.nextInt(25), capacityKilos, accepted));
        }
        return book;
    }

    List<Shipment> shipments(int count) {
        List<Shipment> shipments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int readyDay = random.nextInt(DAYS - 20);
            int dueDay = readyDay + 10 + random.nextInt(60);
            int kilos = 500 + random.nextInt(20_000);
            shipments.add(new Shipment("SH" + (10_000 + i), lane(), cargo(), kilos, readyDay, dueDay));
        }
        return shipments;
    }

    private CargoClass cargo() {
        return random.nextInt(4) == 0 ? CLASSES[random.nextInt(CLASSES.length)] : CargoClass.GENERAL;
    }

    private Lane lane() {
        int origin = random.nextInt(ports.length);
        int destination = (origin + 1 + random.nextInt(ports.length - 1)) % ports.length;
        return Lane.of(ports[origin], ports[destination]);
    }
}
