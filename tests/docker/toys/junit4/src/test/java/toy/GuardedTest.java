package toy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeNoException;

import java.security.Permission;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** A security manager that is in force at the end of the tests, and forbids to read files. */
public class GuardedTest {
  static int asked;

  @BeforeClass
  public static void guard() {
    try {
      System.setSecurityManager(new Guard());
    } catch (UnsupportedOperationException e) {
      assumeNoException(e);
    }
  }

  @AfterClass
  public static void release() {
    try {
      System.setSecurityManager(null);
    } catch (UnsupportedOperationException e) {
      // There was none.
    }
  }

  @Test
  public void first() {
    assertEquals(0, asked);
  }

  @Test
  public void second() {
    assertEquals(0, asked);
  }

  private static final class Guard extends SecurityManager {
    @Override
    public void checkPermission(Permission permission) {}

    @Override
    public void checkRead(String file) {
      if (file.startsWith("/proc/")) {
        asked++;
        throw new SecurityException(file);
      }
    }
  }
}
