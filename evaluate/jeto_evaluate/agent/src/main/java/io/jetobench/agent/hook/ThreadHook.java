package io.jetobench.agent.hook;

import io.jetobench.agent.core.Trouble;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;

/** Makes threads say that they end, with what they have used. */
public final class ThreadHook {
  private ThreadHook() {}

  /** Changes the class of threads, once. */
  public static void install(
      Instrumentation instrumentation, Prepared prepared, Trouble trouble) {
    byte[] ready = prepared.find(thisJdk());
    if (ready == null) {
      ThreadTransformer.run(instrumentation, null, trouble);
      return;
    }
    try {
      // The JVM need not make a class file of its class for a transformer.
      instrumentation.redefineClasses(new ClassDefinition(Thread.class, ready));
    } catch (Throwable e) {
      trouble.add("Thread", e);
    }
  }

  /** What tells JDKs apart that may be in one image. */
  static byte[] thisJdk() {
    String jdk =
        System.getProperty("java.home")
            + '\n'
            + System.getProperty("java.runtime.version")
            + '\n'
            + System.getProperty("java.vm.version");
    return jdk.getBytes(StandardCharsets.UTF_8);
  }
}
