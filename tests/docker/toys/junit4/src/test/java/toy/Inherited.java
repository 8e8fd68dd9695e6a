package toy;

import org.junit.Test;

public abstract class Inherited {
  @Test
  public void inherited() {}
}
