package toy;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class WaitsTest {
  @BeforeClass
  public static void before() throws Exception {
    Thread.sleep(100);
  }

  @Test
  public void sleeps() throws Exception {
    Thread.sleep(150);
  }

  @AfterClass
  public static void after() throws Exception {
    Thread.sleep(50);
  }
}
