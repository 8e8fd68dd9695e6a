package toy;

import junit.framework.TestCase;

public class OldTest extends TestCase {
  public void testPasses() throws Exception {
    Thread.sleep(20);
  }

  public void testFails() {
    assertEquals("one", "two");
  }

  public void testThrows() {
    throw new IllegalStateException("on purpose");
  }
}
