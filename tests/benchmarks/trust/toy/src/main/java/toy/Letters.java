package toy;

/** Counts words by looking at every letter, again and again: compiled soon, then steady. */
public final class Letters {
  static final int ROUNDS = 1000000;

  private Letters() {}

  /** Counts the words of a text in every round; returns the sum of all counts. */
  public static long count(String text) {
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      boolean inside = false;
      for (int at = 0; at < text.length(); at++) {
        boolean letter = text.charAt(at) != ' ';
        sum += letter && !inside ? 1 : 0;
        inside = letter;
      }
    }
    return sum;
  }
}
