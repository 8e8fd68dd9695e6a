package io.jetobench.agent.hook;

import io.jetobench.agent.core.Trouble;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** Hooks what Surefire runs inside the JVM it forks, in whatever package its version has it. */
public final class SurefireTransformer implements ClassFileTransformer, Runnable {
  private static final String[] SUREFIRE = {
    "org/apache/maven/surefire/",
    "org/apache/maven/plugin/surefire/",
    "org/apache/maven/plugins/surefire/"
  };
  static final String REPORTER = "/ForkingRunListener";
  static final String ORDER = "/DefaultRunOrderCalculator";
  static final String BOOTER = "/ForkedBooter";
  private static final String JUPITER =
      "org/junit/jupiter/engine/config/DefaultJupiterConfiguration";
  private static final String AHEAD_OF_SUREFIRE = "surefire";
  private static final String AHEAD_OF_JUPITER = "jupiter";

  private final boolean seeded;
  private final Prepared prepared;
  private final Trouble trouble;
  private Instrumentation instrumentation;
  private boolean over;
  private int hooked;

  /**
   * Makes a transformer.
   *
   * @param seeded whether the order of classes is ours
   */
  public SurefireTransformer(boolean seeded, Prepared prepared, Trouble trouble) {
    this.seeded = seeded;
    this.prepared = prepared;
    this.trouble = trouble;
  }

  /**
   * Begins to look at each class that is loaded, which costs time and a copy of its file.
   *
   * @param with null: somebody else shows them
   * @param ahead {@code surefire}: Surefire's classes are on the class path and Jupiter is not used;
   *     {@code jupiter}: both are there. They are loaded now, and no other class is looked at. Null:
   *     nobody knows
   * @return whether it is over already
   */
  public boolean install(Instrumentation with, String ahead) {
    instrumentation = with;
    if (with != null) {
      with.addTransformer(this);
    }
    boolean jupiter = AHEAD_OF_JUPITER.equals(ahead);
    if ((jupiter || AHEAD_OF_SUREFIRE.equals(ahead)) && load(jupiter && seeded)) {
      run();
    }
    return over;
  }

  /** Loads the classes that are hooked; whether all of them could be had. */
  private boolean load(boolean jupiter) {
    int wanted = 2 + (seeded ? 1 : 0) + (jupiter ? 1 : 0);
    for (String name : prepared.names()) {
      if (hooks(name) && (jupiter || !name.equals(JUPITER))) {
        try {
          Class.forName(name.replace('/', '.'), false, ClassLoader.getSystemClassLoader());
        } catch (Throwable e) {
          // Another version's, or out of our reach: found when it is loaded, if ever.
        }
      }
    }
    return hooked == wanted;
  }

  /** Ends it: all hooks are in place. */
  @Override
  public void run() {
    over = true;
    if (instrumentation != null) {
      instrumentation.removeTransformer(this);
    }
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classfile) {
    if (over || !hooks(name)) {
      return null;
    }
    try {
      if (!findsBridge(loader)) {
        trouble.add("the bridge is out of reach of " + name);
        return null;
      }
      byte[] edited = prepared.find(classfile);
      if (edited == null) {
        edited = SurefireHooks.edit(name, classfile);
      }
      if (edited == null) {
        trouble.add("nothing to hook in " + name);
      } else {
        hooked++;
      }
      return edited;
    } catch (Throwable e) {
      trouble.add(name, e);
      return null;
    }
  }

  /**
   * Keeps the hooked form of a class for other JVMs, if it is one that is hooked.
   *
   * @param name as in class files
   */
  boolean prepare(String name, byte[] classfile) throws IOException {
    byte[] edited = hooks(name) ? SurefireHooks.edit(name, classfile) : null;
    if (edited != null) {
      prepared.keep(classfile, edited);
    }
    return edited != null;
  }

  private boolean hooks(String name) {
    if (name == null || !name.startsWith("org/")) {
      return false;
    }
    if (name.equals(JUPITER)) {
      return seeded;
    }
    for (String prefix : SUREFIRE) {
      if (name.startsWith(prefix)) {
        return name.endsWith(REPORTER)
            || name.endsWith(BOOTER)
            || seeded && name.endsWith(ORDER);
      }
    }
    return false;
  }

  /** A class that cannot find the bridge would fail when it calls it. */
  private static boolean findsBridge(ClassLoader loader) {
    try {
      return Class.forName(JetoBridge.class.getName(), false, loader) == JetoBridge.class;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
