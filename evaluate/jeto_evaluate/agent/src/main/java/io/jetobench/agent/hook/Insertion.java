package io.jetobench.agent.hook;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Adds code at the start of a method, or before each of its returns. */
abstract class Insertion extends MethodVisitor {
  static final String BRIDGE = "java/lang/JetoBridge";

  private final boolean atStart;

  Insertion(MethodVisitor next, boolean atStart) {
    super(Opcodes.ASM9, next);
    this.atStart = atStart;
  }

  /** Writes the code: straight through, and leaving the stack as it was. */
  abstract void emit();

  @Override
  public void visitCode() {
    super.visitCode();
    if (atStart) {
      emit();
    }
  }

  @Override
  public void visitInsn(int opcode) {
    if (!atStart && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
      emit();
    }
    super.visitInsn(opcode);
  }

  final void call(String method, String descriptor) {
    super.visitMethodInsn(Opcodes.INVOKESTATIC, BRIDGE, method, descriptor, false);
  }
}
