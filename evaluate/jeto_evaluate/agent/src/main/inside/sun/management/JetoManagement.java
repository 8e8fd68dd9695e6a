package sun.management;

/**
 * Hands out, when it is initialized, the JVM's management and beans for its classes, its runtime and
 * its threads. {@code ManagementFactory} would cost as much as everything else of the agent: newer
 * ones make method handles when they are loaded, and search all providers.
 */
final class JetoManagement {
  private JetoManagement() {}

  static {
    System.loadLibrary("management");
    VMManagement jvm = new VMManagementImpl();
    JetoBridge.handed =
        new Object[] {
          jvm, new ClassLoadingImpl(jvm), new RuntimeImpl(jvm), new ThreadImpl(jvm)
        };
  }
}
