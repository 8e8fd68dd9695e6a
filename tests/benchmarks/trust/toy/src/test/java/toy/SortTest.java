package toy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SortTest {
  @Test
  void sorts() {
    Random random = new Random(1);
    for (int round = 0; round < 40; round++) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        numbers.add(random.nextInt());
      }
      Collections.sort(numbers);
      assertTrue(numbers.get(0) <= numbers.get(2999));
    }
  }
}
