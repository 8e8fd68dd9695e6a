package toy;

import static org.junit.Assert.assertNotNull;

import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class HashNamesTest {
    static final class Thing {}

    @Parameterized.Parameters(name = "{0}")
    public static List<Thing> things() {
        return Arrays.asList(new Thing(), new Thing());
    }

    private final Thing thing;

    public HashNamesTest(Thing thing) {
        this.thing = thing;
    }

    @Test
    public void exists() {
        assertNotNull(thing);
    }
}
