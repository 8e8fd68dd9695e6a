package io.jetobench.agent.core;

/**
 * Reads all counters. What is dear to read is read first where a window opens, and last where it
 * closes, so that the reading itself lies outside.
 */
final class Meter {
  final Clock clock;
  private final RunQueue queue;
  private final Tasks tasks;
  private final EndedThreads ended;

  Meter(Clock clock, RunQueue queue, Tasks tasks, EndedThreads ended) {
    this.clock = clock;
    this.queue = queue;
    this.tasks = tasks;
    this.ended = ended;
  }

  /** Reads the calling thread's counters where a hook begins. */
  Snapshot enter(long thread) {
    Snapshot reading = new Snapshot();
    reading.wall = System.nanoTime();
    reading.cpu = clock.cpuOfThisThread();
    reading.allocated = clock.allocated(thread);
    return reading;
  }

  /** As {@link #enter}, where a window will close. */
  Snapshot enterToClose(long thread) {
    Snapshot reading = enter(thread);
    reading.waited = queue.waited(thread);
    return reading;
  }

  /** Reads the calling thread's counters where a hook ends. */
  Snapshot leave(long thread) {
    Snapshot reading = new Snapshot();
    reading.allocated = clock.allocated(thread);
    reading.cpu = clock.cpuOfThisThread();
    reading.wall = System.nanoTime();
    return reading;
  }

  /** A window of the calling thread opens as soon as this returns. */
  Snapshot open(long thread) {
    Snapshot now = new Snapshot();
    now.loaded = clock.loaded();
    tasks.read(now);
    EndedThreads.Totals others = ended.totals(clock, thread, 0, 0);
    now.waited = queue.waited(thread);
    Snapshot self = leave(thread);
    now.allocated = self.allocated;
    now.cpu = self.cpu;
    now.wall = self.wall;
    now.javaCpu = others.cpu < 0 || self.cpu < 0 ? Clock.NONE : others.cpu + self.cpu;
    now.javaAllocated =
        others.allocated < 0 || self.allocated < 0 ? Clock.NONE : others.allocated + self.allocated;
    return now;
  }

  /** A window of the calling thread closed when the hook began. */
  Snapshot close(long thread, Snapshot self) {
    Snapshot now = new Snapshot();
    now.wall = self.wall;
    now.cpu = self.cpu;
    now.allocated = self.allocated;
    now.waited = self.waited < 0 ? queue.waited(thread) : self.waited;
    EndedThreads.Totals all = ended.totals(clock, thread, self.cpu, self.allocated);
    now.javaCpu = all.cpu;
    now.javaAllocated = all.allocated;
    tasks.read(now);
    now.loaded = clock.loaded();
    return now;
  }

  /** The calling thread is about to end. */
  void threadExit(long thread) {
    ended.add(thread, clock.cpuOfThisThread(), clock.allocated(thread));
  }
}
