package toy;

import org.junit.BeforeClass;
import org.junit.Test;

public class SetUpFailsTest {
    @BeforeClass
    public static void open() {
        throw new IllegalStateException("no resource");
    }

    @Test
    public void never() {}
}
