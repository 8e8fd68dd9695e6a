package io.jetobench.agent.hook;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Hooks the private method that the JVM calls on the thread that ends. */
final class ThreadExit implements ClassEditor.Edit {
  @Override
  public MethodVisitor method(String method, String descriptor, MethodVisitor next) {
    if (!method.equals("exit") || !descriptor.equals("()V")) {
      return null;
    }
    return new Insertion(next, true) {
      @Override
      void emit() {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitFieldInsn(Opcodes.GETFIELD, "java/lang/Thread", "tid", "J");
        call("threadExit", "(J)V");
      }
    };
  }
}
