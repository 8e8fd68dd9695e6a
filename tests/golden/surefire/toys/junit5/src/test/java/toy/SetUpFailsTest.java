package toy;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SetUpFailsTest {
    @BeforeAll
    static void open() {
        throw new IllegalStateException("no resource");
    }

    @Test
    void never() {}
}
