package io.jetobench.agent.core;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.Map;

/**
 * Defines classes in the boot loader, in packages of the JDK, without a jar on the boot class path:
 * with such a jar the JVM prints a warning, shares fewer classes, and shows the jar's other files to
 * code under test.
 */
final class BootClasses {
  private static final String BRIDGE = "java.lang.JetoBridge";

  private final Map<String, byte[]> files;
  private final Instrumentation instrumentation;
  private ModularBoot modular;
  private Object unsafe;
  private Method defineClass;

  /**
   * Defines nothing yet.
   *
   * @param files class files by name
   * @param instrumentation null: all are on the boot class path
   */
  BootClasses(Map<String, byte[]> files, Instrumentation instrumentation) {
    this.files = files;
    this.instrumentation = instrumentation;
  }

  /** The class file of a class of ours. */
  byte[] file(String name) {
    return files.get(name);
  }

  void defineBridge() throws Exception {
    if (instrumentation == null) {
      return;
    }
    if (hasModules()) {
      modular = ModularBoot.open(instrumentation, version());
    } else {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field only = type.getDeclaredField("theUnsafe");
      only.setAccessible(true);
      unsafe = only.get(null);
      defineClass =
          type.getMethod(
              "defineClass",
              String.class,
              byte[].class,
              int.class,
              int.class,
              ClassLoader.class,
              ProtectionDomain.class);
    }
    define(BRIDGE, Object.class);
  }

  /**
   * Defines a class and initializes it, after the bridge.
   *
   * @param neighbour a class of its package
   * @return what it hands out
   */
  Object[] ask(String name, String neighbour) throws Exception {
    if (instrumentation != null) {
      define(name, Class.forName(neighbour, false, null));
    }
    Class.forName(name, true, null);
    return JetoBridge.handed;
  }

  private void define(String name, Class<?> neighbour) throws Exception {
    byte[] file = files.get(name);
    if (modular != null) {
      modular.define(name, neighbour, file);
    } else {
      defineClass.invoke(unsafe, name, file, 0, file.length, null, null);
    }
  }

  static boolean hasModules() {
    return version() > 8;
  }

  /** Of the JDK: 8, 9 and so on. */
  static int version() {
    String text = System.getProperty("java.specification.version");
    return text.startsWith("1.") ? 8 : Integer.parseInt(text);
  }
}
