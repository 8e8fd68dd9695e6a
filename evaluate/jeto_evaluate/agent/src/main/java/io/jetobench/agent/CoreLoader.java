package io.jetobench.agent;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.AllPermission;
import java.security.Permissions;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads the agent's classes from its jar; below it are only the JDK's boot classes. Hands the first
 * of them what the JVM gave to the agent, as the one object that both sides know.
 */
final class CoreLoader extends ClassLoader implements Supplier<Object[]> {
  /** Classes that every JVM loads, in one entry: to find each in the jar takes as long as it does. */
  private static final String TOGETHER = "io/jetobench/agent/together";

  private final ZipFile jar;
  private final ProtectionDomain trusted;
  private final Map<String, byte[]> together = new HashMap<String, byte[]>();
  private Object[] inputs;

  CoreLoader(ZipFile jar, Object[] inputs) throws IOException {
    super(null);
    this.jar = jar;
    this.inputs = inputs;
    ZipEntry entry = jar.getEntry(TOGETHER);
    if (entry != null) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(read(entry)));
      for (int left = in.readInt(); left > 0; left--) {
        String name = in.readUTF();
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        together.put(name, bytes);
      }
    }
    Permissions all = new Permissions();
    all.add(new AllPermission());
    this.trusted = new ProtectionDomain(null, all);
  }

  /** What the JVM gave; only the first who asks gets it. */
  @Override
  public Object[] get() {
    Object[] given = inputs;
    inputs = null;
    return given;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = together.remove(name);
    if (bytes == null) {
      ZipEntry entry = jar.getEntry(name.replace('.', '/') + ".class");
      if (entry == null) {
        throw new ClassNotFoundException(name);
      }
      try {
        bytes = read(entry);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
    return defineClass(name, bytes, 0, bytes.length, trusted);
  }

  private byte[] read(ZipEntry entry) throws IOException {
    byte[] bytes = new byte[(int) entry.getSize()];
    try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
      in.readFully(bytes);
    }
    return bytes;
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    ZipEntry entry = jar.getEntry(name);
    try {
      return entry == null ? null : jar.getInputStream(entry);
    } catch (IOException e) {
      return null;
    }
  }
}
