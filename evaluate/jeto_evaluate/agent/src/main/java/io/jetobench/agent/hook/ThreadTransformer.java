package io.jetobench.agent.hook;

import io.jetobench.agent.core.Trouble;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes threads say that they end, with what they have used. */
public final class ThreadTransformer implements ClassFileTransformer {
  private static final String THREAD = "java/lang/Thread";

  private final Prepared prepared;
  private final boolean preparing;
  private final Trouble trouble;

  private ThreadTransformer(Prepared prepared, boolean preparing, Trouble trouble) {
    this.prepared = prepared;
    this.preparing = preparing;
    this.trouble = trouble;
  }

  /**
   * Transforms the class of threads, once.
   *
   * @param preparing keep it for other JVMs, and leave it as it is in this one
   */
  public static void install(
      Instrumentation instrumentation, Prepared prepared, boolean preparing, Trouble trouble) {
    ThreadTransformer transformer = new ThreadTransformer(prepared, preparing, trouble);
    instrumentation.addTransformer(transformer, true);
    try {
      instrumentation.retransformClasses(Thread.class);
    } catch (Throwable e) {
      trouble.add("Thread", e);
    } finally {
      instrumentation.removeTransformer(transformer);
    }
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classfile) {
    if (!THREAD.equals(name)) {
      return null;
    }
    try {
      byte[] ready = prepared.find(classfile);
      if (ready != null) {
        return ready;
      }
      byte[] edited = ClassEditor.edit(classfile, new Exit());
      if (preparing && edited != null) {
        prepared.keep(classfile, edited);
        return null;
      }
      return edited;
    } catch (Throwable e) {
      trouble.add("Thread", e);
      return null;
    }
  }

  /** The private method that the JVM calls on the thread that ends. */
  private static final class Exit implements ClassEditor.Edit {
    @Override
    public MethodVisitor method(String method, String descriptor, MethodVisitor next) {
      if (!method.equals("exit") || !descriptor.equals("()V")) {
        return null;
      }
      return new Insertion(next, true) {
        @Override
        void emit() {
          super.visitVarInsn(Opcodes.ALOAD, 0);
          super.visitFieldInsn(Opcodes.GETFIELD, THREAD, "tid", "J");
          call("threadExit", "(J)V");
        }
      };
    }
  }
}
