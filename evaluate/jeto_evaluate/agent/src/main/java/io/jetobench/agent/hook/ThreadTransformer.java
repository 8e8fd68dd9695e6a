package io.jetobench.agent.hook;

import io.jetobench.agent.core.Trouble;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** Edits the class of threads. */
final class ThreadTransformer implements ClassFileTransformer {
  private static final String THREAD = "java/lang/Thread";

  private final Prepared keepIn;
  private final Trouble trouble;

  /**
   * Makes a transformer.
   *
   * @param keepIn keep it there for other JVMs, and leave it as it is in this one; null: change it
   */
  private ThreadTransformer(Prepared keepIn, Trouble trouble) {
    this.keepIn = keepIn;
    this.trouble = trouble;
  }

  /** Transforms the class of threads, once. */
  static void run(Instrumentation instrumentation, Prepared keepIn, Trouble trouble) {
    ThreadTransformer transformer = new ThreadTransformer(keepIn, trouble);
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
      byte[] edited = ClassEditor.edit(classfile, new ThreadExit());
      if (keepIn != null && edited != null) {
        keepIn.keep(ThreadHook.thisJdk(), edited);
        return null;
      }
      return edited;
    } catch (Throwable e) {
      trouble.add("Thread", e);
      return null;
    }
  }
}
