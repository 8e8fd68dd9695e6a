package io.jetobench.agent.hook;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What is changed in classes of Surefire and Jupiter. Loaded where they were not prepared. */
final class SurefireHooks {
  private SurefireHooks() {}

  /**
   * The hooked form of a class; null if there is nothing to hook.
   *
   * @param name as in class files, of a class that {@link SurefireTransformer} hooks
   */
  static byte[] edit(String name, byte[] classfile) {
    return ClassEditor.edit(classfile, of(name));
  }

  private static ClassEditor.Edit of(String name) {
    if (name.endsWith(SurefireTransformer.REPORTER)) {
      return new ReporterHooks();
    }
    if (name.endsWith(SurefireTransformer.ORDER)) {
      return new Order();
    }
    return name.endsWith(SurefireTransformer.BOOTER) ? new RunEnd() : new JupiterOrder();
  }

  /** The order is set after everything that a run order of the project has done to the list. */
  private static final class Order implements ClassEditor.Edit {
    @Override
    public MethodVisitor method(String name, String descriptor, MethodVisitor next) {
      if (!name.equals("orderTestClasses") || !descriptor.startsWith("(Ljava/util/List;")) {
        return null;
      }
      return new Insertion(next, false) {
        @Override
        void emit() {
          super.visitVarInsn(Opcodes.ALOAD, 1);
          call("order", "(Ljava/util/List;)V");
        }
      };
    }
  }

  /** All tests have been run, and Maven has not been told yet. */
  private static final class RunEnd implements ClassEditor.Edit {
    @Override
    public MethodVisitor method(String name, String descriptor, MethodVisitor next) {
      if (!name.equals("runSuitesInProcess")) {
        return null;
      }
      return new Insertion(next, false) {
        @Override
        void emit() {
          call("runEnded", "()V");
        }
      };
    }
  }

  /** Jupiter would order the classes once more where the project's settings say so. */
  private static final class JupiterOrder implements ClassEditor.Edit {
    @Override
    public MethodVisitor method(String name, String descriptor, MethodVisitor next) {
      if (!name.equals("getDefaultTestClassOrderer")
          || !descriptor.equals("()Ljava/util/Optional;")) {
        return null;
      }
      next.visitCode();
      next.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/util/Optional", "empty", "()Ljava/util/Optional;", false);
      next.visitInsn(Opcodes.ARETURN);
      next.visitMaxs(0, 0);
      next.visitEnd();
      return new MethodVisitor(Opcodes.ASM9) {};
    }
  }
}
