package io.jetobench.agent.core;

/** The tests of one window, with the counters of their threads. */
final class TestLog {
  private String[] names = new String[16];
  private long[] threads = new long[16];
  private long[] wall = new long[16];
  private long[] cpu = new long[16];
  private long[] allocated = new long[16];
  private boolean[] open = new boolean[16];
  private int count;
  private int openCount;

  /** Whether tests of different threads were open at once. */
  boolean parallel;

  /** A test of the calling thread starts at this reading. */
  void start(long thread, String name, Snapshot at) {
    for (int i = count - 1, left = openCount; left > 0; i--) {
      if (open[i]) {
        left--;
        parallel |= threads[i] != thread;
      }
    }
    int i = add(thread, name);
    wall[i] = at.wall;
    cpu[i] = at.cpu;
    allocated[i] = at.allocated;
    open[i] = true;
    openCount++;
  }

  /** A test of the calling thread ended at this reading; it may never have started. */
  void end(long thread, String name, Snapshot at) {
    int i = find(thread, name);
    if (i < 0) {
      i = add(thread, name);
      wall[i] = Clock.NONE;
      cpu[i] = Clock.NONE;
      allocated[i] = Clock.NONE;
      return;
    }
    names[i] = name;
    open[i] = false;
    openCount--;
    boolean same = threads[i] == thread;
    wall[i] = Snapshot.delta(wall[i], at.wall);
    cpu[i] = same ? Snapshot.delta(cpu[i], at.cpu) : Clock.NONE;
    allocated[i] = same ? Snapshot.delta(allocated[i], at.allocated) : Clock.NONE;
  }

  void render(Json json) {
    json.open('[');
    for (int i = 0; i < count; i++) {
      json.open('[').string(names[i]);
      json.number(open[i] ? Clock.NONE : wall[i]);
      json.number(open[i] ? Clock.NONE : cpu[i]);
      json.number(open[i] ? Clock.NONE : allocated[i]).close(']');
    }
    json.close(']');
  }

  int size() {
    return count;
  }

  /**
   * The open test of this name, of this thread if there are several; -1: none. TestNG's tests may
   * get another number where they end, as in {@code test[1](0)} and {@code test[1](1)}.
   */
  private int find(long thread, String name) {
    int found = -1;
    int alike = -1;
    for (int i = count - 1, left = openCount; left > 0; i--) {
      if (open[i]) {
        left--;
        if (names[i].equals(name)) {
          if (found < 0 || threads[i] == thread) {
            found = i;
          }
        } else if (alike < 0 && threads[i] == thread && base(names[i]).equals(base(name))) {
          alike = i;
        }
      }
    }
    return found < 0 ? alike : found;
  }

  private static String base(String name) {
    int end = name.indexOf('[');
    return end < 0 ? name : name.substring(0, end);
  }

  private int add(long thread, String name) {
    if (count == names.length) {
      grow();
    }
    names[count] = name;
    threads[count] = thread;
    return count++;
  }

  private void grow() {
    String[] longer = new String[2 * count];
    System.arraycopy(names, 0, longer, 0, count);
    names = longer;
    threads = longer(threads);
    wall = longer(wall);
    cpu = longer(cpu);
    allocated = longer(allocated);
    boolean[] flags = new boolean[2 * count];
    System.arraycopy(open, 0, flags, 0, count);
    open = flags;
  }

  private long[] longer(long[] values) {
    long[] longer = new long[2 * count];
    System.arraycopy(values, 0, longer, 0, count);
    return longer;
  }
}
