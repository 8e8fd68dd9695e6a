package toy.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GreetingTest {
  @Test
  void runsInsideItsModule() {
    assertEquals("toy.api", Greeting.class.getModule().getName());
    assertEquals("hello", Greeting.text());
  }

  @Test
  void nothingIsOpenedToIt() {
    Module base = Object.class.getModule();
    Module unnamed = ClassLoader.getSystemClassLoader().getUnnamedModule();
    assertFalse(base.isExported("jdk.internal.misc"));
    assertFalse(base.isExported("jdk.internal.misc", Greeting.class.getModule()));
    assertFalse(base.isExported("jdk.internal.misc", unnamed));
    assertFalse(base.isOpen("java.lang", unnamed));
  }

  @Test
  void threadsEnd() throws Exception {
    Thread thread = new Thread(() -> {});
    thread.start();
    thread.join();
    assertTrue(!thread.isAlive());
  }
}
