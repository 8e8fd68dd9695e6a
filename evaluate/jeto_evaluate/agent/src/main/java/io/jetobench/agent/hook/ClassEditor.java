package io.jetobench.agent.hook;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Changes some methods of a class. No branch is ever added, so that stack maps stay valid. */
final class ClassEditor {
  private ClassEditor() {}

  /** Decides on a method. */
  interface Edit {
    /** The visitor that changes the method; null: it stays as it is. */
    MethodVisitor method(String name, String descriptor, MethodVisitor next);
  }

  /** The changed class file; null if no method was changed. */
  static byte[] edit(byte[] classfile, Edit edit) {
    ClassReader reader = new ClassReader(classfile);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    Changes changes = new Changes(writer, edit);
    reader.accept(changes, 0);
    return changes.any ? writer.toByteArray() : null;
  }

  private static final class Changes extends ClassVisitor {
    private final Edit edit;
    boolean any;

    Changes(ClassVisitor next, Edit edit) {
      super(Opcodes.ASM9, next);
      this.edit = edit;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
        return next;
      }
      MethodVisitor changed = edit.method(name, descriptor, next);
      any |= changed != null;
      return changed == null ? next : changed;
    }
  }
}
