package io.jetobench.agent.hook;

import io.jetobench.agent.core.Trouble;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.Enumeration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Edits, while an image is made, the classes that test JVMs of that image will hook. */
public final class Preparation {
  private static final String CLASS = ".class";

  private final Prepared prepared;
  private final SurefireTransformer surefire;
  private final Trouble trouble;
  private final Set<String> names = new TreeSet<String>();

  private Preparation(Prepared prepared, Trouble trouble) {
    this.prepared = prepared;
    this.surefire = new SurefireTransformer(true, prepared, trouble);
    this.trouble = trouble;
  }

  /**
   * Prepares this JVM's class of threads, and what a local repository has of Surefire and Jupiter.
   *
   * @param target folder for the edited classes
   * @param repository folder with jars
   * @param ahead for a {@link BootJar}: classes of ours; none: the JVM's class of threads is kept to be
   *     redefined
   */
  public static void run(
      File target,
      File repository,
      Instrumentation instrumentation,
      Map<String, byte[]> ahead,
      Trouble trouble)
      throws IOException {
    Preparation preparation = new Preparation(new Prepared(target), trouble);
    if (ahead.isEmpty()) {
      ThreadTransformer.run(instrumentation, preparation.prepared, trouble);
    } else {
      BootJar.write(new File(target, BootJar.NAME), ahead);
    }
    preparation.walk(repository);
    preparation.prepared.keepNames(preparation.names);
  }

  private void walk(File folder) throws IOException {
    File[] entries = folder.listFiles();
    for (File entry : entries == null ? new File[0] : entries) {
      String name = entry.getName();
      if (entry.isDirectory()) {
        walk(entry);
      } else if (name.endsWith(".jar")
          && (name.contains("surefire") || name.startsWith("junit-jupiter-engine"))) {
        read(entry);
      }
    }
  }

  private void read(File jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar)) {
      for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        if (entry.getName().endsWith(CLASS)) {
          String name = entry.getName().substring(0, entry.getName().length() - CLASS.length());
          if (surefire.prepare(name, bytes(zip.getInputStream(entry)))) {
            names.add(name);
          }
        }
      }
    } catch (RuntimeException e) {
      trouble.add(jar.getName(), e);
    }
  }

  static byte[] bytes(InputStream in) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[16384];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      out.write(buffer, 0, count);
    }
    return out.toByteArray();
  }
}
