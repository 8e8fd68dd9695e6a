package toy;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class ManyTest {
  public ManyTest(int value) {}

  @Parameterized.Parameters
  public static List<Object[]> values() {
    List<Object[]> values = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      values.add(new Object[] {i});
    }
    return values;
  }

  @Test
  public void nothing() {}
}
