package toy;

import org.junit.jupiter.api.Test;

class ThirdTest {
  @Test
  void nothing() {}
}
