package toy.api;

import org.junit.jupiter.api.Test;

class OtherTest {
  @Test
  void nothing() {}
}
