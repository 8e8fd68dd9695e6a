package io.jetobench.agent.hook;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What goes ahead of the JDK's own classes on the boot class path of JDK 8: there an agent costs as
 * much again as all that ours does, since the JVM copies each class file for it that is loaded, and
 * counts the copies as allocated. Later JDKs have no such class path.
 */
final class BootJar {
  static final String NAME = "boot.jar";

  private static final String AGENT = "io/jetobench/agent/Premain";
  private static final Map<String, ClassEditor.Edit> EDITS =
      new HashMap<String, ClassEditor.Edit>();

  static {
    EDITS.put("java/lang/Thread", new ThreadExit());
    EDITS.put("java/net/URLClassLoader", new Definition());
    EDITS.put("sun/launcher/LauncherHelper", new Launch());
  }

  private BootJar() {}

  /**
   * Writes the jar, with what this JDK has.
   *
   * @param own class files of ours by name
   * @throws IOException also if this JDK has not what is to be hooked
   */
  static void write(File target, Map<String, byte[]> own) throws IOException {
    Map<String, byte[]> files = new TreeMap<String, byte[]>();
    for (Map.Entry<String, byte[]> file : own.entrySet()) {
      files.put(file.getKey().replace('.', '/'), file.getValue());
    }
    files.put(AGENT, original(AGENT));
    for (Map.Entry<String, ClassEditor.Edit> edit : EDITS.entrySet()) {
      byte[] edited = ClassEditor.edit(original(edit.getKey()), edit.getValue());
      if (edited == null) {
        throw new IOException("nothing to hook in " + edit.getKey());
      }
      files.put(edit.getKey(), edited);
    }
    target.getParentFile().mkdirs();
    try (ZipOutputStream zip = new ZipOutputStream(new FileOutputStream(target))) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(stored(file.getKey() + ".class", file.getValue()));
        zip.write(file.getValue());
      }
    }
  }

  private static byte[] original(String name) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      if (in == null) {
        throw new IOException("there is no " + name);
      }
      return Preparation.bytes(in);
    }
  }

  /** To inflate it would take time in each JVM. */
  private static ZipEntry stored(String name, byte[] file) {
    CRC32 checksum = new CRC32();
    checksum.update(file);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(file.length);
    entry.setCrc(checksum.getValue());
    entry.setTime(0);
    return entry;
  }

  /** The loader of class paths shows each class file before it defines the class. */
  private static final class Definition implements ClassEditor.Edit {
    @Override
    public MethodVisitor method(String name, String descriptor, MethodVisitor next) {
      if (!name.equals("defineClass")
          || !descriptor.equals("(Ljava/lang/String;Lsun/misc/Resource;)Ljava/lang/Class;")) {
        return null;
      }
      return new Shown(next);
    }
  }

  private static final class Shown extends MethodVisitor {
    Shown(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean ofInterface) {
      super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
      if (name.equals("getBytes") && descriptor.equals("()[B")) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitVarInsn(Opcodes.ALOAD, 1);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            Insertion.BRIDGE,
            "classFile",
            "([BLjava/lang/ClassLoader;Ljava/lang/String;)[B",
            false);
      }
    }
  }

  /** The launcher starts the agent before it loads the main class, as the JVM does agents. */
  private static final class Launch implements ClassEditor.Edit {
    @Override
    public MethodVisitor method(String name, String descriptor, MethodVisitor next) {
      if (!name.equals("checkAndLoadMain")) {
        return null;
      }
      return new Insertion(next, true) {
        @Override
        void emit() {
          super.visitMethodInsn(Opcodes.INVOKESTATIC, AGENT, "boot", "()V", false);
        }
      };
    }
  }
}
