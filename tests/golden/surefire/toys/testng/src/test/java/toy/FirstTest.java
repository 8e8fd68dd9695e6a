package toy;

import static org.testng.Assert.assertNotNull;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class FirstTest {
    @DataProvider(name = "texts")
    public Object[][] texts() {
        return new Object[][] {{"a"}, {"b"}};
    }

    @Test(dataProvider = "texts")
    public void provided(String text) throws Exception {
        Thread.sleep(5);
        assertNotNull(text);
    }

    @Test
    public void plain() {}
}
