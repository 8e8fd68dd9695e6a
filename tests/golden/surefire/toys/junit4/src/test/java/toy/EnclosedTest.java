package toy;

import static org.junit.Assert.assertTrue;

import org.junit.Test;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.RunWith;

@RunWith(Enclosed.class)
public class EnclosedTest {
    public static class Small {
        @Test
        public void fits() {
            assertTrue(true);
        }
    }

    public static class Large {
        @Test
        public void fits() {
            assertTrue(true);
        }
    }
}
