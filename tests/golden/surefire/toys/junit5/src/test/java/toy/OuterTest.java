package toy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class OuterTest {
    @Test
    void outer() throws Exception {
        Thread.sleep(15);
    }

    @TestFactory
    Stream<DynamicTest> made() {
        return Stream.of("first", "second")
                .map(name -> DynamicTest.dynamicTest(name, () -> assertTrue(true)));
    }

    @Nested
    class Inner {
        @Test
        void inner() throws Exception {
            Thread.sleep(25);
        }
    }
}
