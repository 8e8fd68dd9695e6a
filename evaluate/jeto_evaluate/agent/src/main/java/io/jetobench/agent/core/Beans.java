package io.jetobench.agent.core;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.ArrayList;
import java.util.List;

/** What the JVM says of itself. Null: this JVM cannot say it. */
final class Beans {
  private static final String[] COLLECTORS = {
    "UseSerialGC",
    "UseG1GC",
    "UseParallelGC",
    "UseZGC",
    "UseShenandoahGC",
    "UseConcMarkSweepGC",
    "UseEpsilonGC"
  };

  ThreadMXBean threads;
  ClassLoadingMXBean classes;
  RuntimeMXBean runtime;

  /** Garbage collectors, as the JVM's options name them or, in a JVM of its own kind, its beans. */
  final List<String> collectors = new ArrayList<String>();

  /** The beans, by the quickest way that this JDK has. */
  static Beans open(BootClasses boot, Trouble trouble) {
    try {
      return fromInside(boot);
    } catch (Throwable e) {
      // A JDK that has them elsewhere; the factory knows.
    } finally {
      JetoBridge.handed = null;
    }
    Beans beans = new Beans();
    try {
      beans.askFactory();
    } catch (Throwable e) {
      trouble.add("management", e);
    }
    return beans;
  }

  private static Beans fromInside(BootClasses boot) throws Exception {
    Beans beans = new Beans();
    Object[] handed = boot.ask("sun.management.JetoManagement", "sun.management.ThreadImpl");
    beans.classes = (ClassLoadingMXBean) handed[1];
    beans.runtime = (RuntimeMXBean) handed[2];
    Object options;
    if (BootClasses.hasModules()) {
      String inside = "com.sun.management.internal.";
      handed = boot.ask(inside + "JetoThreads", inside + "HotSpotDiagnostic");
      beans.threads = (ThreadMXBean) handed[0];
      options = handed[1];
    } else {
      beans.threads = (ThreadMXBean) handed[3];
      options = Class.forName("sun.management.HotSpotDiagnostic").newInstance();
    }
    beans.nameCollector((HotSpotDiagnosticMXBean) options);
    return beans;
  }

  private void nameCollector(HotSpotDiagnosticMXBean options) {
    for (String name : COLLECTORS) {
      try {
        if (options.getVMOption(name).getValue().equals("true")) {
          collectors.add(name.substring("Use".length(), name.length() - "GC".length()));
          return;
        }
      } catch (IllegalArgumentException e) {
        // This JVM does not have it.
      }
    }
  }

  private void askFactory() {
    threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    classes = ManagementFactory.getClassLoadingMXBean();
    runtime = ManagementFactory.getRuntimeMXBean();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collectors.add(collector.getName());
    }
  }
}
