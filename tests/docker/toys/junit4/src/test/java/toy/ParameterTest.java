package toy;

import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class ParameterTest extends Inherited {
  private final int value;

  public ParameterTest(int value) {
    this.value = value;
  }

  @Parameterized.Parameters
  public static Iterable<Object[]> values() {
    return Arrays.asList(new Object[][] {{1}, {2}, {3}});
  }

  @Test
  public void positive() {
    assertTrue(value > 0);
  }
}
