package toy;

import junit.framework.TestCase;

public class ThirdTest extends TestCase {
  public void testNothing() {}
}
