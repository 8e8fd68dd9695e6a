package toy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Work that is done by threads which are gone before the class ends. */
public class ThreadsTest {
  static volatile byte[] sink;

  @Test
  public void twoThreadsWorkFor150MillisecondsOfCpu() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(new Thread(ThreadsTest::work, "worker-" + i));
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  public void manyThreadsEnd() throws Exception {
    for (int i = 0; i < 300; i++) {
      Thread thread = new Thread(() -> {});
      thread.start();
      thread.join();
    }
  }

  @Test
  public void nobodyElseIsHere() {
    int others = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      assertTrue(thread.getName(), !thread.getName().contains("jeto"));
      others += thread.isDaemon() ? 0 : 1;
    }
    assertEquals(1, others);
  }

  private static void work() {
    sink = new byte[10_000_000];
    long begin = cpu();
    while (cpu() - begin < 75_000_000L) {}
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
