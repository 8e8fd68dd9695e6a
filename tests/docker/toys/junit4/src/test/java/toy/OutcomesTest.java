package toy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import org.junit.Ignore;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ErrorCollector;

public class OutcomesTest {
  @Rule public final ErrorCollector errors = new ErrorCollector();

  @Test
  public void passes() {
    assertEquals(2, 1 + 1);
  }

  @Test
  public void fails() {
    fail("\u00fcber \"quoted\"\n\tand more");
  }

  @Test
  public void throwsError() {
    throw new StackOverflowError("on purpose");
  }

  @Test
  public void assumes() {
    assumeTrue(false);
  }

  @Test
  @Ignore("never")
  public void ignored() {}

  @Test
  public void failsTwice() {
    errors.addError(new AssertionError("first"));
    errors.addError(new AssertionError("second"));
  }

  @Test(timeout = 2000)
  public void inAnotherThread() throws Exception {
    Thread.sleep(5);
  }
}
