package io.jetobench.agent.core;

import java.io.FileInputStream;

/** Says what JVM this is. */
final class StartLine {
  private StartLine() {}

  static StringBuilder render(
      Beans beans, Meter meter, RunQueue queue, String seed, boolean ahead) {
    Json json = new Json(512);
    json.open('{').key("type").string("start").key("version").number(1);
    json.key("pid").number(pid());
    json.key("java").string(property("java.version"));
    json.key("vm").string(property("java.vm.name") + " " + property("java.vm.version"));
    json.key("processors").number(Runtime.getRuntime().availableProcessors());
    json.key("max_heap").number(Runtime.getRuntime().maxMemory());
    management(beans, json);
    json.key("cpu_time").bool(meter.clock.cpu);
    json.key("allocation").bool(meter.clock.allocation);
    json.key("wait").bool(queue.supported());
    json.key("seed").raw(String.valueOf(seed));
    json.key("ahead").bool(ahead);
    return json.close('}').text;
  }

  private static void management(Beans beans, Json json) {
    json.key("collectors").open('[');
    for (String collector : beans.collectors) {
      json.string(collector);
    }
    json.close(']').key("flags").open('[');
    if (beans.runtime != null) {
      for (String flag : beans.runtime.getInputArguments()) {
        json.string(withoutValue(flag));
      }
    }
    json.close(']');
  }

  /** Values of system properties may be secret, and arguments of agents name temporary files. */
  private static String withoutValue(String flag) {
    if (flag.startsWith("-D") || flag.startsWith("-javaagent:") || flag.startsWith("-agent")) {
      int equals = flag.indexOf('=');
      return equals < 0 ? flag : flag.substring(0, equals);
    }
    return flag;
  }

  private static String property(String name) {
    return String.valueOf(System.getProperty(name));
  }

  private static long pid() {
    try (FileInputStream in = new FileInputStream("/proc/self/stat")) {
      long pid = 0;
      for (int c = in.read(); c >= '0' && c <= '9'; c = in.read()) {
        pid = 10 * pid + c - '0';
      }
      return pid;
    } catch (Exception e) {
      return Clock.NONE;
    }
  }
}
