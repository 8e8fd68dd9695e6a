package toy;

import static org.junit.Assume.assumeNoException;

import org.junit.Test;

/** Work of a virtual thread, where the JDK has them. */
public class VirtualTest {
  @Test
  public void works() throws Exception {
    Thread thread = null;
    try {
      thread =
          (Thread)
              Thread.class
                  .getMethod("startVirtualThread", Runnable.class)
                  .invoke(null, (Runnable) VirtualTest::work);
    } catch (NoSuchMethodException | java.lang.reflect.InvocationTargetException e) {
      assumeNoException(e);
    }
    thread.join();
  }

  private static void work() {
    long until = System.nanoTime() + 100_000_000L;
    while (System.nanoTime() < until) {}
  }
}
