package io.jetobench.agent.core;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;

/** {@link BootClasses} for a JDK with modules. */
final class ModularBoot {
  /** From here on the JVM prints a warning if {@code sun.misc.Unsafe} is used. */
  private static final int WARNED = 24;

  /** Null: the JDK's own {@code Unsafe} is opened to us. */
  private final MethodHandles.Lookup lookup;

  private ModularBoot(MethodHandles.Lookup lookup) {
    this.lookup = lookup;
  }

  /** Gets hold of what defines classes; nothing is opened to code under test. */
  static ModularBoot open(Instrumentation instrumentation, int version) {
    if (version < WARNED) {
      try {
        return new ModularBoot(trusted());
      } catch (Throwable e) {
        // A JVM without jdk.unsupported; there is another way, which takes three times as long.
      }
    }
    // Exported to the module of the agent's own loader alone.
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.misc", Set.of(ModularBoot.class.getModule())),
        Map.of(),
        Set.of(),
        Map.of());
    return new ModularBoot(null);
  }

  private static MethodHandles.Lookup trusted() throws ReflectiveOperationException {
    Field only = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
    only.setAccessible(true);
    sun.misc.Unsafe unsafe = (sun.misc.Unsafe) only.get(null);
    Field trusted = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
    return (MethodHandles.Lookup)
        unsafe.getObject(unsafe.staticFieldBase(trusted), unsafe.staticFieldOffset(trusted));
  }

  void define(String name, Class<?> neighbour, byte[] bytes) throws IllegalAccessException {
    if (lookup == null) {
      jdk.internal.misc.Unsafe.getUnsafe().defineClass(name, bytes, 0, bytes.length, null, null);
    } else {
      lookup.in(neighbour).defineClass(bytes);
    }
  }
}
