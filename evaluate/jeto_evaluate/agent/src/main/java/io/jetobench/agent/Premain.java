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
  private static final String PREPARE = "prepare=";
  private static final String PREPARED = "jeto-hooks";

  private Premain() {}

  /**
   * Starts the agent.
   *
   * @param arguments {@code out=PATH} or {@code out=PATH,seed=NUMBER}; {@code prepare=REPOSITORY}
   *     puts hooked classes of its jars beside the agent's own
   */
  public static void premain(String arguments, Instrumentation instrumentation) {
    try {
      File jar =
          new File(Premain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      leaveClassPath(jar.getPath());
      ClassLoader loader = new CoreLoader(new JarFile(jar));
      boolean preparing = arguments != null && arguments.startsWith(PREPARE);
      loader
          .loadClass("io.jetobench.agent.core.Agent")
          .getMethod(
              preparing ? "prepare" : "start", String.class, File.class, Instrumentation.class)
          .invoke(
              null,
              preparing ? arguments.substring(PREPARE.length()) : arguments,
              new File(jar.getParentFile(), PREPARED),
              instrumentation);
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
