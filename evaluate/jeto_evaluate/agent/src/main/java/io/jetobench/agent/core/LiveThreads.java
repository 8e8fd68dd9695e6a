package io.jetobench.agent.core;

import com.sun.management.ThreadMXBean;

/** Which Java threads there are. */
final class LiveThreads {
  /** From here on the bean makes a stream of them, and to list a group's threads takes no lock. */
  private static final int STREAMED = 19;

  private final ThreadMXBean bean;

  /** Null: the bean is asked. */
  private final ThreadGroup root;

  private long started = -1;
  private int live;
  private long[] ids;

  LiveThreads(ThreadMXBean bean) {
    this.bean = bean;
    ThreadGroup group = null;
    if (BootClasses.version() >= STREAMED && System.getSecurityManager() == null) {
      group = Thread.currentThread().getThreadGroup();
      while (group.getParent() != null) {
        group = group.getParent();
      }
    }
    root = group;
  }

  /**
   * Their numbers, not to be changed.
   *
   * @param startedNow how many have started since the JVM did
   * @param liveNow how many there were after that
   */
  synchronized long[] ids(long startedNow, int liveNow) {
    // None has started and as many are there: they are the same.
    if (startedNow != started || liveNow != live) {
      long[] quick = root == null ? null : list(liveNow);
      ids = quick == null ? bean.getAllThreadIds() : quick;
      started = startedNow;
      live = liveNow;
    }
    return ids;
  }

  /** Null if it cannot be told without the bean. */
  private long[] list(int expected) {
    Thread[] found = new Thread[expected + 8];
    int count = root.enumerate(found);
    if (count == found.length) {
      return null;
    }
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      Class<?> type = found[i].getClass();
      if (type != Thread.class && type.getClassLoader() != null) {
        return null; // its getId() may say anything
      }
      numbers[i] = found[i].getId();
    }
    return numbers;
  }
}
