package toy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.util.TimeZone;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/** What a test can see of the JVM is the same with the agent in it. */
public class SurroundingsTest {
  @Test
  public void propertiesDoNotNameTheAgent() {
    for (Object key : System.getProperties().keySet()) {
      if (key.toString().startsWith("surefire.") || key.toString().startsWith("sun.java.command")) {
        continue;
      }
      String value = System.getProperty(key.toString());
      assertFalse(key + "=" + value, value != null && value.contains("/jeto-"));
    }
  }

  @Test
  public void loaderZoneAndManagerAreTheUsualOnes() {
    assertSame(
        SurroundingsTest.class.getClassLoader(), Thread.currentThread().getContextClassLoader());
    assertEquals(TimeZone.getDefault().getID(), TimeZone.getDefault().getID());
    assertNull(System.getSecurityManager());
  }

  @Test
  public void ownVersionOfAsm() throws Exception {
    assertEquals(5 << 16, Opcodes.ASM5);
    assertSame(SurroundingsTest.class.getClassLoader(), ClassReader.class.getClassLoader());
    new ClassReader("java.lang.Object".equals(new Object().getClass().getName()) ? bytes() : null);
  }

  private static byte[] bytes() throws Exception {
    java.io.InputStream in = SurroundingsTest.class.getResourceAsStream("SurroundingsTest.class");
    byte[] bytes = new byte[in.available()];
    new java.io.DataInputStream(in).readFully(bytes);
    return bytes;
  }
}
