package io.jetobench.agent.core;

import com.sun.management.ThreadMXBean;
import java.lang.instrument.Instrumentation;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.List;

/** What the JVM says of itself. Null: this JVM cannot say it. */
final class Beans {
  ThreadMXBean threads;
  ClassLoadingMXBean classes;
  List<GarbageCollectorMXBean> collectors;
  RuntimeMXBean runtime;

  /** The beans, by the quickest way that this JDK has. */
  static Beans open(Instrumentation instrumentation, Trouble trouble) {
    Beans beans = new Beans();
    if (BootClasses.hasModules()) {
      try {
        beans.ask(instrumentation);
        return beans;
      } catch (Throwable e) {
        // A JDK that has them elsewhere; the factory knows.
      }
    }
    try {
      beans.askFactory();
    } catch (Throwable e) {
      trouble.add("management", e);
    }
    return beans;
  }

  private void ask(Instrumentation instrumentation) {
    ModularBeans.open(instrumentation);
    threads = ModularBeans.threads();
    classes = ModularBeans.classes();
    collectors = ModularBeans.collectors();
    runtime = ModularBeans.runtime();
  }

  private void askFactory() {
    threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    classes = ManagementFactory.getClassLoadingMXBean();
    collectors = ManagementFactory.getGarbageCollectorMXBeans();
    runtime = ManagementFactory.getRuntimeMXBean();
  }
}
