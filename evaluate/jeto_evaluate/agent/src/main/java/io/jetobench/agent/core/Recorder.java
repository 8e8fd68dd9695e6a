package io.jetobench.agent.core;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.util.List;

/** Turns the events of Surefire's reporter into windows, and windows into lines. */
final class Recorder extends JetoBridge {
  private final Output output;
  private final Trouble trouble;
  private final Meter meter;
  private final String seed;
  private final Callers callers = new Callers();
  private OpenWindows open = new OpenWindows();
  private Runnable atFirstSet;
  private ClassFileTransformer transformer;
  private boolean muted;
  private boolean ended;
  private boolean orderWritten;
  private int ordered = -1;
  private int lines;
  private long agentCpu;

  Recorder(Output output, Trouble trouble, Meter meter, String seed) {
    this.output = output;
    this.trouble = trouble;
    this.meter = meter;
    this.seed = seed;
  }

  /** Plays one class to nobody, so that the agent's own classes are loaded before any test. */
  void rehearse() {
    muted = true;
    onSetStarting("rehearsal", null);
    onTestStarting("rehearsal", "test(rehearsal)");
    onTestEnded("rehearsal", "test(rehearsal)");
    onSetCompleted("rehearsal", null);
    open = new OpenWindows();
    orderWritten = false;
    lines = 0;
    agentCpu = 0;
    muted = false;
  }

  /** Has class files shown to a transformer, in a JVM that was started without instrumentation. */
  void show(ClassFileTransformer to) {
    transformer = to;
  }

  /**
   * The agent is ready.
   *
   * @param cpu what it took
   * @param firstSet to be run when the first set starts, when all hooks are in place
   */
  synchronized void started(long cpu, Runnable firstSet) {
    agentCpu += cpu;
    atFirstSet = firstSet;
  }

  @Override
  protected void onSetStarting(String source, String name) {
    long thread = Thread.currentThread().getId();
    Snapshot enter = meter.enter(thread);
    synchronized (this) {
      if (!orderWritten) {
        begin();
      }
      callers.look();
      Window window = open.add(thread, Names.ofSet(source, name), callers);
      window.begin(meter.open(thread));
      leave(thread, enter, window);
    }
  }

  @Override
  protected void onSetCompleted(String source, String name) {
    long thread = Thread.currentThread().getId();
    Snapshot enter = meter.enterToClose(thread);
    synchronized (this) {
      Window window = open.remove(thread, Names.ofSet(source, name));
      if (window == null) {
        trouble.add("a set was completed that had not been started");
      } else {
        close(window, thread, enter);
        leave(thread, enter, null);
      }
    }
  }

  @Override
  protected void onTestStarting(String source, String name) {
    long thread = Thread.currentThread().getId();
    Snapshot enter = meter.enter(thread);
    synchronized (this) {
      Window window = windowOf(thread, source, enter);
      if (window == null) {
        trouble.add("a test started outside of any set");
      } else {
        Snapshot start = leave(thread, enter, null);
        window.tests.start(thread, Names.ofTest(source, name), start);
      }
    }
  }

  @Override
  protected void onTestEnded(String source, String name) {
    long thread = Thread.currentThread().getId();
    Snapshot enter = meter.enter(thread);
    synchronized (this) {
      Window window = windowOf(thread, source, enter);
      if (window == null) {
        writeLone(thread, source, Names.ofTest(source, name), enter);
      } else {
        window.tests.end(thread, Names.ofTest(source, name), enter);
      }
      leave(thread, enter, null);
    }
  }

  @Override
  protected void onThreadExit(long thread) {
    meter.threadExit(thread);
  }

  @Override
  protected void onOrder(List<?> classes) {
    if (seed != null && SeededOrder.sort(classes, seed)) {
      ordered = classes.size();
    }
  }

  @Override
  protected byte[] onClassFile(byte[] file, ClassLoader loader, String name)
      throws IllegalClassFormatException {
    if (transformer == null) {
      return file;
    }
    byte[] edited = transformer.transform(loader, name.replace('.', '/'), null, null, file);
    return edited == null ? file : edited;
  }

  @Override
  protected synchronized void onRunEnded() {
    if (ended) {
      return;
    }
    ended = true;
    open.reportTo(trouble);
    Json json = new Json(256);
    json.open('{').key("type").string("end").key("seq").number(lines);
    json.key("classes").number(lines).key("agent_cpu_ns").number(agentCpu);
    trouble.render(json.key("trouble"));
    output.line(json.close('}').text);
  }

  @Override
  protected void failed(String where, Throwable error) {
    trouble.add(where, error);
  }

  /** The window that an event of a test belongs to; a set of several classes is cut here. */
  private Window windowOf(long thread, String source, Snapshot enter) {
    Window found = open.of(thread);
    if (found == null || !found.segmented || source == null || source.equals(found.name)) {
      return found;
    }
    if (found.name == null) {
      open.name(found, source);
      return found;
    }
    Window next = open.replace(found, thread, source);
    close(found, thread, enter);
    next.begin(meter.open(thread));
    return next;
  }

  /** Surefire 3.0.0-M5 announces no set for a class that is disabled: it has no time. */
  private void writeLone(long thread, String source, String test, Snapshot enter) {
    Window window = open.lone(thread, String.valueOf(source));
    Snapshot none = new Snapshot();
    none.wall = 0;
    window.begin(none);
    window.tests.end(thread, test, enter);
    write(window, none);
  }

  private void close(Window window, long thread, Snapshot enter) {
    Snapshot end = meter.close(thread, enter);
    if (window.thread != thread) {
      window.otherThread = true;
      end.cpu = meter.clock.cpu(window.thread);
      end.allocated = meter.clock.allocated(window.thread);
      end.waited = Clock.NONE;
    }
    if (window.name != null) { // else a set without any test
      write(window, end);
    }
  }

  private void write(Window window, Snapshot end) {
    Json json = new Json(512 + 64 * window.tests.size());
    window.render(json, lines++, end);
    write(json);
  }

  private void begin() {
    orderWritten = true;
    Json json = new Json(64);
    json.open('{').key("type").string("order").key("ordered").bool(ordered >= 0);
    json.key("classes").number(ordered);
    write(json.close('}'));
    if (atFirstSet != null) {
      atFirstSet.run();
    }
  }

  private void write(Json json) {
    if (!muted && !ended) {
      output.line(json.text);
    }
  }

  /** Bills the hook to the agent. */
  private Snapshot leave(long thread, Snapshot enter, Window except) {
    Snapshot now = meter.leave(thread);
    agentCpu += Math.max(0, now.cpu - enter.cpu);
    open.charge(thread, enter, now, except);
    return now;
  }
}
