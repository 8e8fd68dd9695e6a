package io.jetobench.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.AllPermission;
import java.security.Permissions;
import java.security.ProtectionDomain;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** Loads the agent's classes from its jar; below it are only the JDK's boot classes. */
final class CoreLoader extends ClassLoader {
  private final JarFile jar;
  private final ProtectionDomain trusted;

  CoreLoader(JarFile jar) {
    super(null);
    this.jar = jar;
    Permissions all = new Permissions();
    all.add(new AllPermission());
    this.trusted = new ProtectionDomain(null, all);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(16384);
      byte[] buffer = new byte[16384];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        bytes.write(buffer, 0, count);
      }
      return defineClass(name, bytes.toByteArray(), 0, bytes.size(), trusted);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
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
