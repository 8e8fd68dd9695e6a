package io.jetobench.agent.core;

/** One test class while it runs, or the part of a set that belongs to one class. */
final class Window {
  /** Null: a segment whose class is not known yet. */
  String name;

  final long thread;
  final boolean segmented;
  final TestLog tests = new TestLog();
  int position;
  int depth;
  boolean replay;
  boolean parallel;
  boolean otherThread;
  private Snapshot start;
  private long ownWall;
  private long ownCpu;
  private long ownAllocated;
  private long ownWaited;

  Window(String name, long thread, boolean segmented) {
    this.name = name;
    this.thread = thread;
    this.segmented = segmented;
  }

  void begin(Snapshot at) {
    start = at;
  }

  /** What the agent itself used inside this window. */
  void charge(Snapshot from, Snapshot to) {
    long wall = Math.max(0, to.wall - from.wall);
    long cpu = Math.max(0, to.cpu - from.cpu);
    ownWall += wall;
    ownCpu += cpu;
    ownAllocated += Math.max(0, to.allocated - from.allocated);
    if (from.cpu >= 0) {
      ownWaited += Math.max(0, wall - cpu); // it never sleeps
    }
  }

  void render(Json json, int seq, Snapshot end) {
    json.open('{').key("type").string("class");
    json.key("seq").number(seq);
    json.key("position").number(position);
    json.key("depth").number(depth);
    json.key("name").string(name);
    json.key("segmented").bool(segmented);
    json.key("wall_ns").number(net(start.wall, end.wall, ownWall));
    json.key("thread_cpu_ns").number(net(start.cpu, end.cpu, ownCpu));
    json.key("java_cpu_ns").number(net(start.javaCpu, end.javaCpu, ownCpu));
    json.key("wait_ns").number(net(start.waited, end.waited, ownWaited));
    json.key("jit_cpu_ns").number(Snapshot.delta(start.jit, end.jit));
    json.key("gc_cpu_ns").number(Snapshot.delta(start.gc, end.gc));
    json.key("vm_cpu_ns").number(Snapshot.delta(start.vm, end.vm));
    json.key("thread_alloc").number(net(start.allocated, end.allocated, ownAllocated));
    json.key("java_alloc").number(net(start.javaAllocated, end.javaAllocated, ownAllocated));
    json.key("loaded").number(Snapshot.delta(start.loaded, end.loaded));
    flags(json.key("flags"));
    tests.render(json.key("tests"));
    json.close('}');
  }

  private void flags(Json json) {
    json.open('[');
    if (replay) {
      json.string("replay");
    }
    if (parallel || tests.parallel) {
      json.string("parallel");
    }
    if (otherThread) {
      json.string("other-thread");
    }
    json.close(']');
  }

  private static long net(long from, long to, long own) {
    long gross = Snapshot.delta(from, to);
    return gross < 0 ? gross : Math.max(0, gross - own);
  }
}
