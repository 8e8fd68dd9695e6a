package toy;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

@Disabled
class WholeDisabledTest {
  @Test
  void nothing() {}
}
