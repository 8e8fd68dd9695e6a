package toy;

import junit.framework.TestCase;

public class OtherTest extends TestCase {
  public void testSpins() {
    long until = System.nanoTime() + 30_000_000L;
    while (System.nanoTime() < until) {}
  }
}
