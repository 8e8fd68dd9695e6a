package toy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LettersTest {
  @Test
  void countsEveryWord() {
    String text = "the quick fox and the slow fox met the other fox of the wood";
    assertEquals(14L * Letters.ROUNDS, Letters.count(text));
  }
}
