package io.jetobench.agent.core;

import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * How long threads have waited for a processor, as the kernel counts it. A thread's file is opened
 * once, by the thread itself, so that no security manager is asked during the tests.
 */
final class RunQueue {
  private static final int KEPT = 4;

  private final long[] threads = new long[KEPT];
  private final SchedStat[] files = new SchedStat[KEPT];
  private int next;
  private final SchedStat starter;

  RunQueue() {
    starter = open();
  }

  /** Whether the kernel counts it. */
  boolean supported() {
    return starter != null;
  }

  /** CPU time of the thread that started the agent; -1: unknown. */
  long cpuOfThisThread() {
    return starter != null && starter.read() ? starter.cpu : Clock.NONE;
  }

  /** Nanoseconds that the calling thread, of this number, has waited; -1: unknown. */
  long waited(long thread) {
    for (int i = 0; i < KEPT; i++) {
      if (files[i] != null && threads[i] == thread) {
        return files[i].read() ? files[i].wait : Clock.NONE;
      }
    }
    SchedStat file = System.getSecurityManager() == null ? open() : null;
    if (file == null) {
      return Clock.NONE;
    }
    if (files[next] != null) {
      files[next].close();
    }
    files[next] = file;
    threads[next] = thread;
    next = (next + 1) % KEPT;
    return file.read() ? file.wait : Clock.NONE;
  }

  private static SchedStat open() {
    try {
      SchedStat file = new SchedStat("/proc/thread-self/schedstat");
      return file.read() ? file : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** A file with two numbers to be read again and again: CPU time and wait, in nanoseconds. */
  static final class SchedStat {
    private final RandomAccessFile file;
    private final byte[] buffer = new byte[96];
    long cpu;
    long wait;

    SchedStat(String path) throws IOException {
      file = new RandomAccessFile(path, "r");
    }

    /** Reads both; false if the thread is gone. */
    boolean read() {
      try {
        file.seek(0);
        int length = file.read(buffer, 0, buffer.length);
        int at = 0;
        long first = 0;
        for (; at < length && buffer[at] > ' '; at++) {
          first = first * 10 + buffer[at] - '0';
        }
        long second = 0;
        for (at++; at < length && buffer[at] > ' '; at++) {
          second = second * 10 + buffer[at] - '0';
        }
        if (at >= length) {
          return false;
        }
        cpu = first;
        wait = second;
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    void close() {
      try {
        file.close();
      } catch (IOException e) {
        // Nothing was written to it.
      }
    }
  }
}
