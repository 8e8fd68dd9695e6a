package io.jetobench.agent;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.security.AllPermission;
import java.security.Permissions;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Where the JVM enters the agent, and the loader of the agent's classes: below it are only the JDK's
 * boot classes, so that code under test does not meet them, and nothing that they may touch is opened
 * to that code. Hands the first of them what it needs, as the one object that both sides know.
 */
public final class Premain extends ClassLoader implements Supplier<Object[]> {
  private static final String CLASS_PATH = "java.class.path";
  private static final String BOOT_CLASS_PATH = "sun.boot.class.path";
  private static final String PREPARED = "jeto-hooks";

  /** Where there is no instrumentation: the agent's jar, an equals sign, and its arguments. */
  private static final String STARTED = "jeto.agent";
  private static final String OWN = "io.jetobench.agent.";

  /** The classes that every JVM loads; to find each in the jar would take as long as it does. */
  private static final String START = "start";

  /** All others. */
  private static final String REST = "rest";

  private final ZipFile jar;
  private final ProtectionDomain trusted;
  private final Map<String, byte[]> files = new HashMap<String, byte[]>();
  private boolean complete;
  private Object[] inputs;

  private Premain(File jar, String arguments, Instrumentation instrumentation) throws IOException {
    super(null);
    this.jar = new ZipFile(jar);
    Permissions all = new Permissions();
    all.add(new AllPermission());
    trusted = new ProtectionDomain(null, all);
    inputs =
        new Object[] {arguments, new File(jar.getParentFile(), PREPARED), instrumentation, files};
    read(START);
  }

  /**
   * Starts the agent.
   *
   * @param arguments {@code out=PATH}, then {@code ,seed=NUMBER}, then {@code ,ahead=WORD}; or
   *     {@code prepare=REPOSITORY}: puts hooked classes of its jars beside the agent's own
   */
  public static void premain(String arguments, Instrumentation instrumentation) {
    try {
      URL location = Premain.class.getProtectionDomain().getCodeSource().getLocation();
      // To read it as a URI costs more than all the rest here.
      String path = location.getPath();
      File jar = path.indexOf('%') < 0 ? new File(path) : new File(location.toURI());
      leave(CLASS_PATH, jar.getPath());
      start(jar, arguments, instrumentation);
    } catch (Throwable e) {
      // The tests run without us; that no line was written says so.
    }
  }

  /**
   * Starts the agent in a JVM without instrumentation, which has this class on its boot class path
   * and calls this before it loads the main class.
   */
  public static void boot() {
    try {
      String started = System.clearProperty(STARTED);
      if (started != null) {
        int end = started.indexOf('=');
        File jar = new File(started.substring(0, end));
        leave(BOOT_CLASS_PATH, jar.getParent() + File.separator + PREPARED);
        start(jar, started.substring(end + 1), null);
      }
    } catch (Throwable e) {
      // As above.
    }
  }

  private static void start(File jar, String arguments, Instrumentation instrumentation)
      throws IOException, ClassNotFoundException {
    // A call by reflection would cost more than what it calls.
    Class.forName(OWN + "core.Entry", true, new Premain(jar, arguments, instrumentation));
  }

  /** Takes what begins so out of a property, where code under test would find it. */
  private static void leave(String property, String path) {
    String value = System.getProperty(property);
    if (value == null || !value.contains(path)) {
      return;
    }
    StringBuilder kept = new StringBuilder();
    String separator = "";
    for (String entry : value.split(File.pathSeparator, -1)) {
      if (!entry.startsWith(path)) {
        kept.append(separator).append(entry);
        separator = File.pathSeparator;
      }
    }
    System.setProperty(property, kept.toString());
  }

  /**
   * The arguments, the folder with prepared classes, the instrumentation, and the class files by
   * name. Only the first who asks gets it.
   */
  @Override
  public Object[] get() {
    Object[] given = inputs;
    inputs = null;
    return given;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OWN)) {
      return super.loadClass(name, resolve);
    }
    synchronized (this) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] file = files.remove(name);
    if (file == null && !complete) {
      try {
        read(REST);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
      complete = true;
      file = files.remove(name);
    }
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, file, 0, file.length, trusted);
  }

  /** Reads an entry of class files: how many, then name, length and bytes of each. */
  private void read(String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    byte[] all = new byte[(int) entry.getSize()];
    try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
      in.readFully(all);
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(all));
    for (int left = in.readInt(); left > 0; left--) {
      String type = in.readUTF();
      byte[] file = new byte[in.readInt()];
      in.readFully(file);
      files.put(type, file);
    }
  }
}
