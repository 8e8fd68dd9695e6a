package io.jetobench.agent.core;

import java.util.Arrays;
import java.util.List;

/** An order of classes that a number decides, whatever JVM: by the SHA-256 of "SEED:CLASS". */
final class SeededOrder {
  private SeededOrder() {}

  private static final class Place implements Comparable<Place> {
    final Class<?> type;
    final String key;

    Place(Class<?> type, String key) {
      this.type = type;
      this.key = key;
    }

    @Override
    public int compareTo(Place other) {
      return key.compareTo(other.key);
    }
  }

  /** Sorts in place; false, and nothing changed, if there is something else than classes. */
  static boolean sort(List<?> classes, String seed) {
    Place[] places = new Place[classes.size()];
    int i = 0;
    for (Object item : classes) {
      if (!(item instanceof Class)) {
        return false;
      }
      Class<?> type = (Class<?>) item;
      places[i++] = new Place(type, Sha256.hex(seed + ":" + type.getName()));
    }
    Arrays.sort(places);
    @SuppressWarnings("unchecked")
    List<Object> to = (List<Object>) classes;
    for (i = 0; i < places.length; i++) {
      to.set(i, places[i].type);
    }
    return true;
  }
}
