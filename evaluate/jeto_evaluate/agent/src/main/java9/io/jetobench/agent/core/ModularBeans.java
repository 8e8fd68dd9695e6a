package io.jetobench.agent.core;

import com.sun.management.ThreadMXBean;
import com.sun.management.internal.HotSpotThreadImpl;
import java.lang.instrument.Instrumentation;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.RuntimeMXBean;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sun.management.ManagementFactoryHelper;

/**
 * The beans of a JDK with modules, without the factory's search for them among all providers, which
 * takes as long as everything else of the agent.
 */
final class ModularBeans {
  private ModularBeans() {}

  static void open(Instrumentation instrumentation) {
    export(instrumentation, ClassLoadingMXBean.class, "sun.management");
    export(instrumentation, ThreadMXBean.class, "com.sun.management.internal");
  }

  static ThreadMXBean threads() {
    return new HotSpotThreadImpl(ManagementFactoryHelper.getVMManagement());
  }

  static ClassLoadingMXBean classes() {
    return ManagementFactoryHelper.getClassLoadingMXBean();
  }

  static List<GarbageCollectorMXBean> collectors() {
    return ManagementFactoryHelper.getGarbageCollectorMXBeans();
  }

  static RuntimeMXBean runtime() {
    return ManagementFactoryHelper.getRuntimeMXBean();
  }

  /** To the module of the agent's own loader alone. */
  private static void export(Instrumentation instrumentation, Class<?> member, String name) {
    instrumentation.redefineModule(
        member.getModule(),
        Set.of(),
        Map.of(name, Set.of(ModularBeans.class.getModule())),
        Map.of(),
        Set.of(),
        Map.of());
  }
}
