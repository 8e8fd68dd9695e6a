package toy;

import org.testng.annotations.Test;

public class SecondTest {
    @Test
    public void plain() throws Exception {
        Thread.sleep(7);
    }

    @Test(enabled = false)
    public void off() {}
}
