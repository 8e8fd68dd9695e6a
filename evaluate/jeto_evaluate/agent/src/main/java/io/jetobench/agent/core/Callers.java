package io.jetobench.agent.core;

/** What in Surefire announces sets, as the stack of the calling thread tells. */
final class Callers {
  private static final String SUREFIRE = "org.apache.maven.surefire.";

  /** Of the last look: all classes are one set, which has no class of its own. */
  boolean testNg;

  /** Of the last look: the tests have been run already; what is announced is their protocol. */
  boolean replay;

  /** Nothing can change any more: a JVM has one provider, and this one tells as it runs. */
  private boolean settled;

  /** Looks at the calling thread. */
  void look() {
    if (settled) {
      return;
    }
    boolean provider = false;
    boolean replays = false;
    testNg = false;
    replay = false;
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      String type = frame.getClassName();
      if (type.startsWith(SUREFIRE)) {
        testNg |= type.startsWith("testng.", SUREFIRE.length());
        replays |= type.startsWith("junitcore.", SUREFIRE.length());
        replay |=
            type.startsWith("junitcore.TestSet", SUREFIRE.length())
                && frame.getMethodName().equals("replay");
        provider |= type.endsWith("Provider");
      }
    }
    settled = provider && !replays;
  }
}
