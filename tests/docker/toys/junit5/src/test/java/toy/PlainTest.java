package toy;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTest {
  @Test
  void passes() throws Exception {
    Thread.sleep(60);
  }

  @Test
  @DisplayName("a \u00fcbername")
  void displayed() {}

  @Test
  void fails() {
    fail("on purpose");
  }

  @Test
  void assumes() {
    assumeTrue(false);
  }

  @Test
  @Disabled
  void disabled() {}

  @ParameterizedTest
  @ValueSource(strings = {"a", "b, c", "\"d\""})
  void parameters(String value) {}

  @TestFactory
  Stream<DynamicTest> dynamic() {
    return Stream.of("x", "y").map(name -> DynamicTest.dynamicTest(name, () -> {}));
  }
}
