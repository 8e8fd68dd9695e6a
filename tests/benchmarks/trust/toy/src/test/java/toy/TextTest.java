package toy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TextTest {
  @Test
  void formats() {
    int length = 0;
    for (int round = 0; round < 300; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 60; i++) {
        text.append(String.format("%d;", i % 10));
      }
      length += text.length();
    }
    assertEquals(300 * 120, length);
  }
}
