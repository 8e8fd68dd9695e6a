package toy;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManyArgumentsTest {
    static final class Thing {}

    static Stream<Thing> things() {
        return Stream.of(new Thing(), new Thing());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a, b", "<x>"})
    void texts(String text) {
        assertNotNull(text);
    }

    @ParameterizedTest
    @MethodSource("things")
    void objects(Thing thing) {
        assertNotNull(thing);
    }

    @RepeatedTest(2)
    void again() {}
}
