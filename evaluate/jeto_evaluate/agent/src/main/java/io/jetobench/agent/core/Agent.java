package io.jetobench.agent.core;

import io.jetobench.agent.hook.Preparation;
import io.jetobench.agent.hook.Prepared;
import io.jetobench.agent.hook.SurefireTransformer;
import io.jetobench.agent.hook.ThreadHook;
import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;

/** Starts measuring: opens the output, connects the hooks, and says what JVM this is. */
final class Agent {
  private Agent() {}

  /**
   * Called once, before the main class is loaded. Does nothing unless the output can be opened.
   *
   * @param arguments {@code out=PATH}, then {@code ,seed=NUMBER}, then {@code ,ahead=WORD}
   * @param prepared folder with classes that are hooked already
   * @param instrumentation null: what the JDK has of it is on the boot class path, hooked already
   */
  static void start(
      String arguments, File prepared, Instrumentation instrumentation, BootClasses boot)
      throws Exception {
    RunQueue queue = new RunQueue();
    long before = queue.cpuOfThisThread();
    Options options = Options.parse(arguments);
    Output output = new Output(options.out);
    Trouble trouble = new Trouble();
    boot.defineBridge();
    Wiring.connect(
        options, output, new Prepared(prepared), trouble, queue, before, instrumentation, boot);
  }

  /**
   * Called instead while an image is made.
   *
   * @param repository folder with the jars that test JVMs will load
   * @param prepared folder for classes with hooks
   */
  static void prepare(
      String repository, File prepared, Instrumentation instrumentation, BootClasses boot)
      throws Exception {
    Trouble trouble = new Trouble();
    boot.defineBridge();
    Map<String, byte[]> ahead = new HashMap<String, byte[]>();
    if (!BootClasses.hasModules()) {
      for (String name : new String[] {"java.lang.JetoBridge", "sun.management.JetoManagement"}) {
        ahead.put(name, boot.file(name));
      }
    }
    Preparation.run(prepared, new File(repository), instrumentation, ahead, trouble);
    Json json = new Json(64);
    trouble.render(json);
    System.err.println(json.text);
  }

  /** Apart from {@link Agent}, since loading it needs the bridge. Runs when the JVM ends. */
  private static final class Wiring implements Runnable {
    static void connect(
        Options options,
        Output output,
        Prepared prepared,
        Trouble trouble,
        RunQueue queue,
        long before,
        Instrumentation instrumentation,
        BootClasses boot) {
      Beans beans = Beans.open(boot, trouble);
      Clock clock = new Clock(beans, trouble);
      Meter meter = new Meter(clock, queue, new Tasks(), new EndedThreads(trouble));
      Recorder recorder = new Recorder(output, trouble, meter, options.seed);
      recorder.rehearse();
      JetoBridge.connect(recorder);
      SurefireTransformer surefire =
          new SurefireTransformer(options.seed != null, prepared, trouble);
      if (instrumentation == null) {
        recorder.show(surefire);
      } else {
        ThreadHook.install(instrumentation, prepared, trouble);
      }
      boolean ahead = surefire.install(instrumentation, options.ahead);
      if (ahead) {
        recorder.show(null);
      }
      Runtime.getRuntime().addShutdownHook(new Thread(new Wiring(), "jeto-agent-end"));
      output.line(StartLine.render(beans, meter, queue, options.seed, ahead));
      long after = queue.cpuOfThisThread();
      recorder.started(before < 0 || after < 0 ? 0 : after - before, surefire);
    }

    @Override
    public void run() {
      JetoBridge.runEnded();
    }
  }
}
