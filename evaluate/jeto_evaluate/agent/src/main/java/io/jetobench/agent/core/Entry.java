package io.jetobench.agent.core;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.function.Supplier;

/** Does, when it is initialized, what the JVM started the agent for. */
final class Entry {
  private static final String PREPARE = "prepare=";

  private Entry() {}

  static {
    try {
      Object[] inputs = (Object[]) ((Supplier<?>) Entry.class.getClassLoader()).get();
      String arguments = (String) inputs[0];
      File prepared = (File) inputs[1];
      Instrumentation instrumentation = (Instrumentation) inputs[2];
      @SuppressWarnings("unchecked")
      BootClasses boot = new BootClasses((Map<String, byte[]>) inputs[3], instrumentation);
      if (arguments != null && arguments.startsWith(PREPARE)) {
        Agent.prepare(arguments.substring(PREPARE.length()), prepared, instrumentation, boot);
      } else {
        Agent.start(arguments, prepared, instrumentation, boot);
      }
    } catch (Throwable e) {
      // The tests run without us; that no line was written says so.
    }
  }
}
