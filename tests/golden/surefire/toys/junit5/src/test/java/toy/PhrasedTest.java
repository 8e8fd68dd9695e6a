package toy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A class. With a phrase")
class PhrasedTest {
    @Test
    @DisplayName("does $things, politely")
    void things() {}

    @Nested
    @DisplayName("when nested")
    class WhenNested {
        @Test
        @DisplayName("still does things")
        void things() {}
    }
}
