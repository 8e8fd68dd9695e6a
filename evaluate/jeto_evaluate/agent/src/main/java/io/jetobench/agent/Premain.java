package io.jetobench.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;

/**
 * Where the JVM enters the agent. The agent itself is loaded by a loader of its own, so that code
 * under test does not meet its classes, and nothing that it may touch is opened to that code.
 */
public final class Premain {
  private static final String CLASS_PATH = "java.class.path";

  private Premain() {}

  /**
   * Starts the agent.
   *
   * @param arguments {@code out=PATH} or {@code out=PATH,seed=NUMBER}
   */
  public static void premain(String arguments, Instrumentation instrumentation) {
    try {
      File jar =
          new File(Premain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      leaveClassPath(jar.getPath());
      ClassLoader loader = new CoreLoader(new JarFile(jar));
      loader
          .loadClass("io.jetobench.agent.core.Agent")
          .getMethod("start", String.class, Instrumentation.class)
          .invoke(null, arguments, instrumentation);
    } catch (Throwable e) {
      // The tests run without us; that no line was written says so.
    }
  }

  /** The JVM appends an agent's jar to the property, where code under test would find it. */
  private static void leaveClassPath(String jar) {
    String value = System.getProperty(CLASS_PATH);
    if (value == null || !value.contains(jar)) {
      return;
    }
    StringBuilder kept = new StringBuilder();
    String separator = "";
    for (String entry : value.split(File.pathSeparator, -1)) {
      if (!entry.equals(jar)) {
        kept.append(separator).append(entry);
        separator = File.pathSeparator;
      }
    }
    System.setProperty(CLASS_PATH, kept.toString());
  }
}
