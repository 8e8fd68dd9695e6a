package io.jetobench.agent.core;

import com.sun.management.ThreadMXBean;
import java.lang.management.ClassLoadingMXBean;

/** CPU time and allocated bytes of Java threads, as the JVM counts them; -1: it does not. */
final class Clock {
  static final long NONE = -1;

  private final ThreadMXBean threads;
  private final ClassLoadingMXBean classes;
  private final LiveThreads live;
  final boolean cpu;
  final boolean allocation;

  /** Values of all live threads at one moment. */
  static final class Census {
    long[] ids;
    long[] cpu;
    long[] allocated;

    /** How many threads have ended since the JVM started. */
    long ended;
  }

  Clock(Beans beans, Trouble trouble) {
    threads = beans.threads;
    classes = beans.classes;
    live = threads == null ? null : new LiveThreads(threads);
    boolean hasCpu = false;
    boolean hasAllocation = false;
    try {
      if (threads != null) {
        hasCpu = threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
        hasAllocation =
            threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled();
      }
    } catch (Throwable e) {
      trouble.add("clock", e);
    }
    cpu = hasCpu;
    allocation = hasAllocation;
  }

  /** CPU time of the calling thread. */
  long cpuOfThisThread() {
    if (cpu) {
      try {
        return threads.getCurrentThreadCpuTime();
      } catch (UnsupportedOperationException e) {
        return NONE; // a virtual thread
      }
    }
    return NONE;
  }

  /** CPU time of a thread. */
  long cpu(long thread) {
    return cpu ? threads.getThreadCpuTime(thread) : NONE;
  }

  /** Bytes that a thread has allocated. */
  long allocated(long thread) {
    return allocation ? threads.getThreadAllocatedBytes(thread) : NONE;
  }

  /** Classes that the JVM has loaded since it started. */
  long loaded() {
    return classes == null ? NONE : classes.getTotalLoadedClassCount();
  }

  /** Looks at all threads; null if that is impossible, or if a security manager would be asked. */
  Census census() {
    if (threads == null || System.getSecurityManager() != null) {
      return null;
    }
    Census census = new Census();
    // In this order: a thread that starts in between must not look like one that has ended.
    long started = threads.getTotalStartedThreadCount();
    int count = threads.getThreadCount();
    census.ended = started - count;
    census.ids = live.ids(started, count);
    census.cpu = cpu ? threads.getThreadCpuTime(census.ids) : null;
    census.allocated = allocation ? threads.getThreadAllocatedBytes(census.ids) : null;
    return census;
  }
}
