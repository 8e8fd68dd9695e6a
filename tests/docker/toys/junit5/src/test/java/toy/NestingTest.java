package toy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NestingTest {
  @Test
  void outer() throws Exception {
    Thread.sleep(30);
  }

  @AfterAll
  static void after() throws Exception {
    Thread.sleep(20);
  }

  @Nested
  class Inner {
    @Test
    void inner() throws Exception {
      Thread.sleep(40);
    }

    @Nested
    class Innermost {
      @Test
      void innermost() throws Exception {
        Thread.sleep(50);
      }
    }
  }
}
