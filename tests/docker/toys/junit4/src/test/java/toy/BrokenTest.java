package toy;

import org.junit.BeforeClass;
import org.junit.Test;

public class BrokenTest {
  @BeforeClass
  public static void before() {
    throw new IllegalStateException("on purpose");
  }

  @Test
  public void never() {}
}
