package io.jetobench.agent.core;

/**
 * What threads that have ended used, so that the sum over all threads never falls. They say so
 * themselves, unless another agent has undone our change to their class: then nothing is known.
 */
final class EndedThreads {
  private final Trouble trouble;
  private long[] ids = new long[64];
  private int count;
  private long cpu;
  private long allocated;
  private long seen;
  private long before = -1;

  /** Totals over live and ended threads. */
  static final class Totals {
    long cpu = Clock.NONE;
    long allocated = Clock.NONE;
  }

  EndedThreads(Trouble trouble) {
    this.trouble = trouble;
  }

  /** The calling thread is about to end. */
  synchronized void add(long thread, long threadCpu, long threadAllocated) {
    if (count == ids.length) {
      long[] longer = new long[2 * count];
      System.arraycopy(ids, 0, longer, 0, count);
      ids = longer;
    }
    ids[count++] = thread;
    seen++;
    cpu += Math.max(0, threadCpu);
    allocated += Math.max(0, threadAllocated);
  }

  /**
   * Adds everything up.
   *
   * @param self the calling thread, whose values are these and not those of the census
   */
  Totals totals(Clock clock, long self, long selfCpu, long selfAllocated) {
    Totals totals = new Totals();
    int known = known();
    Clock.Census census = clock.census();
    if (census == null || unseen(census.ended)) {
      return totals;
    }
    long sumCpu = Math.max(0, selfCpu);
    long sumAllocated = Math.max(0, selfAllocated);
    synchronized (this) {
      // A thread that has said that it ends stays in the census for a moment.
      boolean[] found = new boolean[count];
      for (int i = 0; i < census.ids.length; i++) {
        int place = place(census.ids[i]);
        if (place >= 0) {
          found[place] = true;
        } else if (census.ids[i] != self) {
          sumCpu += census.cpu == null ? 0 : Math.max(0, census.cpu[i]);
          sumAllocated += census.allocated == null ? 0 : Math.max(0, census.allocated[i]);
        }
      }
      sumCpu += cpu;
      sumAllocated += allocated;
      forget(known, found);
    }
    if (clock.cpu) {
      totals.cpu = sumCpu;
    }
    if (clock.allocation) {
      totals.allocated = sumAllocated;
    }
    return totals;
  }

  /** Whether more threads have ended than have said so. */
  private synchronized boolean unseen(long total) {
    if (before < 0) {
      before = total - seen;
    }
    if (total - before <= seen) {
      return false;
    }
    trouble.add("threads ended unseen");
    return true;
  }

  private synchronized int known() {
    return count;
  }

  private int place(long thread) {
    for (int i = 0; i < count; i++) {
      if (ids[i] == thread) {
        return i;
      }
    }
    return -1;
  }

  /** Drops those that had ended before the census and are not in it. */
  private void forget(int known, boolean[] found) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i >= known || found[i]) {
        ids[kept++] = ids[i];
      }
    }
    count = kept;
  }
}
