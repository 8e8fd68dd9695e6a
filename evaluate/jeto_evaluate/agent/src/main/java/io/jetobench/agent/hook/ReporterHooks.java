package io.jetobench.agent.hook;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Hooks the reporter: what starts, at the end of its method, and what ends, at the start, so that
 * Surefire's own reports lie outside as well.
 */
final class ReporterHooks implements ClassEditor.Edit {
  @Override
  public MethodVisitor method(String name, String descriptor, MethodVisitor next) {
    String hook = hook(name);
    Type[] arguments = Type.getArgumentTypes(descriptor);
    if (hook == null || arguments.length == 0 || arguments[0].getSort() != Type.OBJECT) {
      return null;
    }
    return new Call(next, hook, arguments[0].getInternalName());
  }

  private static String hook(String method) {
    switch (method) {
      case "testSetStarting":
        return "setStarting";
      case "testSetCompleted":
        return "setCompleted";
      case "testStarting":
        return method;
      case "testSucceeded":
      case "testError":
      case "testFailed":
      case "testSkipped":
      case "testAssumptionFailure":
        return "testEnded";
      default:
        return null;
    }
  }

  private static final class Call extends Insertion {
    private static final String STRING = "()Ljava/lang/String;";

    private final String hook;
    private final String entry;

    Call(MethodVisitor next, String hook, String entry) {
      super(next, !hook.endsWith("Starting"));
      this.hook = hook;
      this.entry = entry;
    }

    @Override
    void emit() {
      get("getSourceName");
      get("getName");
      call(hook, "(Ljava/lang/String;Ljava/lang/String;)V");
    }

    private void get(String getter) {
      super.visitVarInsn(Opcodes.ALOAD, 1);
      super.visitMethodInsn(Opcodes.INVOKEINTERFACE, entry, getter, STRING, true);
    }
  }
}
