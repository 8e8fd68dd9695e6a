package io.jetobench.agent.core;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * CPU time of the JVM's own threads, which Java does not show: known by the names that the JVM
 * gives them. A JVM that gives none (early updates of 8) has none.
 */
final class Tasks {
  private static final File FOLDER = new File("/proc/self/task");
  private static final int JIT = 0;
  private static final int GC = 1;
  private static final int VM = 2;
  private static final int OTHER = 3;
  private static final String[] GC_NAMES = {
    "GC Thread#", "G1 ", "ParGC Thread#", "Gang worker#", "CMS ", "Concurrent Mark", "ZWorker",
    "ZDriver", "ZDirector", "ZStat", "ZUncommitter", "ZUnmapper", "XWorker", "XDriver",
    "XDirector", "XStat", "XUncommitter", "XUnmapper", "Shenandoah", "StringDedup"
  };
  private static final String[] VM_NAMES = {
    "VM Thread", "VM Periodic Tas", "Sweeper thread", "Service Thread", "Monitor Deflati"
  };

  private final Map<String, Task> known = new HashMap<String, Task>();
  private final long[] sums = new long[3];
  private boolean named;
  private int look;

  private static final class Task {
    final int kind;
    final RunQueue.SchedStat file;
    int seen;

    Task(int kind, RunQueue.SchedStat file) {
      this.kind = kind;
      this.file = file;
    }
  }

  /** Fills in what JIT, GC and VM threads have used since the JVM started. */
  void read(Snapshot to) {
    if (System.getSecurityManager() != null || !update()) {
      return;
    }
    to.jit = sums[JIT];
    to.gc = sums[GC];
    to.vm = sums[VM];
  }

  private boolean update() {
    if (look > 0 && !named) {
      return false; // there has been a VM thread from the start, and it has no name
    }
    String[] tasks = FOLDER.list();
    if (tasks == null) {
      return false;
    }
    look++;
    for (String name : tasks) {
      Task task = known.get(name);
      if (task == null) {
        task = meet(name);
        known.put(name, task);
      }
      task.seen = look;
      if (task.file != null) {
        long before = task.file.cpu;
        if (task.file.read()) {
          sums[task.kind] += task.file.cpu - before;
        }
      }
    }
    for (Iterator<Task> all = known.values().iterator(); all.hasNext(); ) {
      Task task = all.next();
      if (task.seen != look) {
        if (task.file != null) {
          task.file.close();
        }
        all.remove();
      }
    }
    return named;
  }

  private Task meet(String name) {
    try {
      int kind = kind(comm(name));
      if (kind == VM) {
        named = true;
      }
      return new Task(
          kind,
          kind == OTHER ? null : new RunQueue.SchedStat("/proc/self/task/" + name + "/schedstat"));
    } catch (IOException e) {
      return new Task(OTHER, null); // gone already
    }
  }

  private static int kind(String comm) {
    if (comm.startsWith("C1 Compiler")
        || comm.startsWith("C2 Compiler")
        || comm.startsWith("JVMCI")) {
      return JIT;
    }
    return startsWithOne(comm, GC_NAMES) ? GC : startsWithOne(comm, VM_NAMES) ? VM : OTHER;
  }

  private static boolean startsWithOne(String comm, String[] names) {
    for (String name : names) {
      if (comm.startsWith(name)) {
        return true;
      }
    }
    return false;
  }

  private static String comm(String task) throws IOException {
    byte[] bytes = new byte[32];
    FileInputStream in = new FileInputStream("/proc/self/task/" + task + "/comm");
    try {
      int length = Math.max(0, in.read(bytes));
      StringBuilder text = new StringBuilder(16);
      for (int i = 0; i < length && bytes[i] != '\n'; i++) {
        text.append((char) bytes[i]);
      }
      return text.toString();
    } finally {
      in.close();
    }
  }
}
