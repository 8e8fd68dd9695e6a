package toy;

import java.util.Map;
import java.util.TreeMap;

/** Counts words, again and again. */
public final class Words {
  static final int ROUNDS = 20000;

  private Words() {}

  /** Counts the words of a text in every round; returns the sum of all counts. */
  public static long count(String text) {
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Map<String, Integer> counts = new TreeMap<>();
      for (String word : text.split(" ")) {
        counts.merge(word, 1, Integer::sum);
      }
      for (int count : counts.values()) {
        sum += count;
      }
    }
    return sum;
  }
}
