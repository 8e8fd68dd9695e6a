package io.jetobench.agent.core;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/** {@link BootClasses} for a JDK with modules. Reflection would take ten times as long. */
final class ModularBoot {
  private ModularBoot() {}

  static void define(Instrumentation instrumentation, String name, byte[] bytes) {
    // Exported to the module of the agent's own loader alone.
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.misc", Set.of(ModularBoot.class.getModule())),
        Map.of(),
        Set.of(),
        Map.of());
    Unsafe.getUnsafe().defineClass(name, bytes, 0, bytes.length, null, null);
  }
}
