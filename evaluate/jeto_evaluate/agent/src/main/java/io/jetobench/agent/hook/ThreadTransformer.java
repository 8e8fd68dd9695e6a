package io.jetobench.agent.hook;

import io.jetobench.agent.core.Trouble;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes threads say that they end, with what they have used. */
public final class ThreadTransformer implements ClassFileTransformer {
  private static final String THREAD = "java/lang/Thread";

  private final Prepared keep;
  private final Trouble trouble;

  private ThreadTransformer(Prepared keep, Trouble trouble) {
    this.keep = keep;
    this.trouble = trouble;
  }

  /** Changes the class of threads, once. */
  public static void install(
      Instrumentation instrumentation, Prepared prepared, Trouble trouble) {
    byte[] ready = prepared.findThread();
    if (ready != null) {
      try {
        // Cheaper than a transformer, and what other agents do later starts from it.
        instrumentation.redefineClasses(new ClassDefinition(Thread.class, ready));
        return;
      } catch (Throwable e) {
        trouble.add("Thread as prepared", e);
      }
    }
    transform(instrumentation, null, trouble);
  }

  /** Keeps the changed class for other JVMs, and leaves it as it is in this one. */
  static void prepare(Instrumentation instrumentation, Prepared prepared, Trouble trouble) {
    transform(instrumentation, prepared, trouble);
  }

  private static void transform(
      Instrumentation instrumentation, Prepared keep, Trouble trouble) {
    ThreadTransformer transformer = new ThreadTransformer(keep, trouble);
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
      byte[] edited = ClassEditor.edit(classfile, new Exit());
      if (keep == null || edited == null) {
        return edited;
      }
      keep.keepThread(edited);
      return null;
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
