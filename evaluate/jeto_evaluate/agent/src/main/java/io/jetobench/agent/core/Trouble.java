package io.jetobench.agent.core;

import java.util.LinkedHashMap;
import java.util.Map;

/** What went wrong inside the agent: a text each, and how often. */
public final class Trouble {
  private static final int KINDS = 20;

  private final Map<String, Integer> counts = new LinkedHashMap<String, Integer>();

  /** Takes note of an error. */
  public void add(String where, Throwable error) {
    add(where + ": " + error.getClass().getName());
  }

  /** Takes note of a text that is the same for all cases of its kind. */
  public synchronized void add(String text) {
    Integer count = counts.get(text);
    if (count != null || counts.size() < KINDS) {
      counts.put(text, count == null ? 1 : count + 1);
    }
  }

  synchronized void render(Json json) {
    json.open('[');
    for (Map.Entry<String, Integer> entry : counts.entrySet()) {
      int count = entry.getValue();
      json.string(count == 1 ? entry.getKey() : entry.getKey() + " (" + count + " times)");
    }
    json.close(']');
  }
}
