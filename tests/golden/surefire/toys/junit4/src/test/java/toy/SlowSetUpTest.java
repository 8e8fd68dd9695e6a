package toy;

import org.junit.BeforeClass;
import org.junit.Test;

public class SlowSetUpTest {
    @BeforeClass
    public static void open() throws Exception {
        Thread.sleep(2000);
    }

    @Test
    public void quick() throws Exception {
        Thread.sleep(10);
    }
}
