package io.jetobench.agent.core;

import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;

/**
 * Defines the bridge in the boot loader without a jar on the boot class path: with such a jar the
 * JVM prints a warning, shares fewer classes, and shows the jar's other files to code under test.
 */
final class BootClasses {
  private static final String BRIDGE = "io.jetobench.agent.bridge.Bridge";

  private BootClasses() {}

  static void defineBridge(Instrumentation instrumentation) throws Exception {
    byte[] bytes = read(BRIDGE.replace('.', '/') + ".class");
    if (hasModules()) {
      ModularBoot.define(instrumentation, BRIDGE, bytes);
      return;
    }
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field only = unsafe.getDeclaredField("theUnsafe");
    only.setAccessible(true);
    unsafe
        .getMethod(
            "defineClass",
            String.class,
            byte[].class,
            int.class,
            int.class,
            ClassLoader.class,
            ProtectionDomain.class)
        .invoke(only.get(null), BRIDGE, bytes, 0, bytes.length, null, null);
  }

  static boolean hasModules() {
    try {
      Class.forName("java.lang.Module");
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static byte[] read(String resource) throws Exception {
    ClassLoader loader = BootClasses.class.getClassLoader();
    try (InputStream in = loader.getResourceAsStream(resource)) {
      byte[] bytes = new byte[65536];
      int length = 0;
      for (int count = 0; count >= 0; count = in.read(bytes, length, bytes.length - length)) {
        length += count;
      }
      byte[] exact = new byte[length];
      System.arraycopy(bytes, 0, exact, 0, length);
      return exact;
    }
  }
}
