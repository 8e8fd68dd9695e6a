package toy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MapTest {
  @Test
  void looksUp() {
    long found = 0;
    for (int round = 0; round < 60; round++) {
      Map<String, Integer> map = new HashMap<>();
      for (int i = 0; i < 4000; i++) {
        map.put("key" + i, i);
      }
      for (int i = 0; i < 4000; i += 2) {
        found += map.get("key" + i) == i ? 1 : 0;
      }
    }
    assertEquals(60L * 2000, found);
  }
}
