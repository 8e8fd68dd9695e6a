package toy;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class PlainTest {
    @Test
    public void adds() throws Exception {
        Thread.sleep(12);
        System.out.println("a line of output with <markup> & a \u00e9");
        assertEquals(2, 1 + 1);
    }

    @Test
    @Ignore("shows a skipped case")
    public void later() {}
}
