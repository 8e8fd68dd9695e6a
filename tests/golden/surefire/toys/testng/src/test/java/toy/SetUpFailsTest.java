package toy;

import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

public class SetUpFailsTest {
    @BeforeClass
    public void open() {
        throw new IllegalStateException("no resource");
    }

    @Test
    public void never() {}
}
