package toy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PrimesTest {
  @Test
  void counts() {
    int found = 0;
    for (int n = 2; n < 20000; n++) {
      boolean prime = true;
      for (int d = 2; d < n && prime; d++) {
        prime = n % d != 0;
      }
      found += prime ? 1 : 0;
    }
    assertEquals(2262, found);
  }
}
