package io.jetobench.agent.core;

/** All counters at one end of a window; -1: not known. */
final class Snapshot {
  long wall = Clock.NONE;
  long cpu = Clock.NONE;
  long allocated = Clock.NONE;
  long waited = Clock.NONE;
  long javaCpu = Clock.NONE;
  long javaAllocated = Clock.NONE;
  long jit = Clock.NONE;
  long gc = Clock.NONE;
  long vm = Clock.NONE;
  long loaded = Clock.NONE;

  /** What was added between two values; -1 if one is not known, or if it would be negative. */
  static long delta(long from, long to) {
    return from < 0 || to < from ? Clock.NONE : to - from;
  }
}
