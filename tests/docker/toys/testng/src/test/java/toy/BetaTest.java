package toy;

import org.testng.Assert;
import org.testng.SkipException;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class BetaTest {
  @BeforeClass
  public void before() throws Exception {
    Thread.sleep(10);
  }

  @Test
  public void sleeps() throws Exception {
    Thread.sleep(40);
  }

  @Test
  public void fails() {
    Assert.fail("on purpose");
  }

  @Test
  public void skips() {
    throw new SkipException("on purpose");
  }

  @DataProvider
  public Object[][] values() {
    return new Object[][] {{1}, {2}};
  }

  @Test(dataProvider = "values")
  public void parameters(int value) {}
}
