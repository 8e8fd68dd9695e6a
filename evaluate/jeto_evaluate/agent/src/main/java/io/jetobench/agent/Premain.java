package io.jetobench.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.zip.ZipFile;

/**
 * Where the JVM enters the agent. The agent itself is loaded by a loader of its own, so that code
 * under test does not meet its classes, and nothing that it may touch is opened to that code.
 */
public final class Premain {
  private static final String CLASS_PATH = "java.class.path";
  private static final String ENTRY = "io.jetobench.agent.core.Entry";
  private static final String PREPARED = "jeto-hooks";

  private Premain() {}

  /**
   * Starts the agent.
   *
   * @param arguments {@code out=PATH}, then {@code ,seed=NUMBER}, then {@code ,ahead=WORD}; or
   *     {@code prepare=REPOSITORY}: puts hooked classes of its jars beside the agent's own
   */
  public static void premain(String arguments, Instrumentation instrumentation) {
    try {
      File jar =
          new File(Premain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      leaveClassPath(jar.getPath());
      File prepared = new File(jar.getParentFile(), PREPARED);
      Object[] inputs = {arguments, prepared, instrumentation};
      // A call by reflection would cost more than what it calls.
      Class.forName(ENTRY, true, new CoreLoader(new ZipFile(jar), inputs));
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
