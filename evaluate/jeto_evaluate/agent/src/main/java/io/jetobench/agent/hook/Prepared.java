package io.jetobench.agent.hook;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Class files that were edited when the image was made. Editing them in each JVM would cost more
 * than the rest of the agent. They are known by checksum and length: what else has both gets a
 * class of Surefire or of the JDK with our hooks in it, which is no harm.
 */
public final class Prepared {
  private static final String NAMES = "names";

  private final File folder;

  /**
   * Looks in a folder.
   *
   * @param folder need not be there
   */
  public Prepared(File folder) {
    this.folder = folder;
  }

  /** The edited class file; null if it is not there. */
  byte[] find(byte[] original) {
    return read(file(original));
  }

  /** Names of the classes that were prepared, as in class files; none if none were. */
  String[] names() {
    byte[] text = read(new File(folder, NAMES));
    return text == null ? new String[0] : new String(text, StandardCharsets.UTF_8).split("\n");
  }

  /** Keeps the names of the classes that were prepared. */
  void keepNames(Iterable<String> names) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String name : names) {
      lines.append(name).append('\n');
    }
    write(new File(folder, NAMES), lines.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Keeps an edited class file. */
  void keep(byte[] original, byte[] edited) throws IOException {
    write(file(original), edited);
  }

  private static byte[] read(File file) {
    byte[] edited = new byte[(int) file.length()];
    if (edited.length == 0) {
      return null;
    }
    try (FileInputStream in = new FileInputStream(file)) {
      int length = 0;
      for (int count = 0; count >= 0 && length < edited.length; length += count) {
        count = in.read(edited, length, edited.length - length);
      }
      return length == edited.length ? edited : null;
    } catch (IOException e) {
      return null;
    }
  }

  private void write(File file, byte[] edited) throws IOException {
    folder.mkdirs();
    try (FileOutputStream out = new FileOutputStream(file)) {
      out.write(edited);
    }
  }

  private File file(byte[] original) {
    CRC32 checksum = new CRC32();
    checksum.update(original, 0, original.length);
    return new File(folder, Long.toHexString(checksum.getValue()) + "-" + original.length);
  }
}
