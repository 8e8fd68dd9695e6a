package java.lang;

import java.util.List;

/**
 * What hooked classes call. Stands in a package of the JDK that everybody sees: a class of the JDK may
 * call it as well as one of any class path. Passes everything on, and nothing that goes wrong gets
 * back to the caller.
 */
public abstract class JetoBridge {
  /** What a class of the JDK's packages hands to the agent while it starts; null: nothing. */
  public static Object[] handed;

  private static volatile JetoBridge target;

  /** Says who receives the calls; null: nobody. */
  public static void connect(JetoBridge receiver) {
    target = receiver;
  }

  /** A set of tests has been announced, nearly always a class. */
  public static void setStarting(String source, String name) {
    JetoBridge to = target;
    if (to != null) {
      try {
        to.onSetStarting(source, name);
      } catch (Throwable e) {
        note(to, "setStarting", e);
      }
    }
  }

  /** A set of tests is over. */
  public static void setCompleted(String source, String name) {
    JetoBridge to = target;
    if (to != null) {
      try {
        to.onSetCompleted(source, name);
      } catch (Throwable e) {
        note(to, "setCompleted", e);
      }
    }
  }

  /** A test has been announced. */
  public static void testStarting(String source, String name) {
    JetoBridge to = target;
    if (to != null) {
      try {
        to.onTestStarting(source, name);
      } catch (Throwable e) {
        note(to, "testStarting", e);
      }
    }
  }

  /** A test is over, whatever its outcome, or was skipped. */
  public static void testEnded(String source, String name) {
    JetoBridge to = target;
    if (to != null) {
      try {
        to.onTestEnded(source, name);
      } catch (Throwable e) {
        note(to, "testEnded", e);
      }
    }
  }

  /** The calling thread ends; its number in the JVM. */
  public static void threadExit(long thread) {
    JetoBridge to = target;
    if (to != null) {
      try {
        to.onThreadExit(thread);
      } catch (Throwable e) {
        note(to, "threadExit", e);
      }
    }
  }

  /** The test classes are in this order, which may be changed in place. */
  public static void order(List<?> classes) {
    JetoBridge to = target;
    if (to != null) {
      try {
        to.onOrder(classes);
      } catch (Throwable e) {
        note(to, "order", e);
      }
    }
  }

  /** A class is about to be defined; the class file to be used, which may be the same. */
  public static byte[] classFile(byte[] file, ClassLoader loader, String name) {
    JetoBridge to = target;
    if (to != null) {
      try {
        return to.onClassFile(file, loader, name);
      } catch (Throwable e) {
        note(to, "classFile", e);
      }
    }
    return file;
  }

  /** All tests have been run. */
  public static void runEnded() {
    JetoBridge to = target;
    if (to != null) {
      try {
        to.onRunEnded();
      } catch (Throwable e) {
        note(to, "runEnded", e);
      }
    }
  }

  private static void note(JetoBridge to, String where, Throwable error) {
    try {
      to.failed(where, error);
    } catch (Throwable e) {
      // There may be no memory or no stack left.
    }
  }

  protected abstract void onSetStarting(String source, String name);

  protected abstract void onSetCompleted(String source, String name);

  protected abstract void onTestStarting(String source, String name);

  protected abstract void onTestEnded(String source, String name);

  protected abstract void onThreadExit(long thread);

  protected abstract void onOrder(List<?> classes);

  protected abstract byte[] onClassFile(byte[] file, ClassLoader loader, String name)
      throws Exception;

  protected abstract void onRunEnded();

  /** Takes note of an error inside the agent. */
  protected abstract void failed(String where, Throwable error);
}
