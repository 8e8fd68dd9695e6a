package toy;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OnlyNestedTest {
    @Nested
    class Level {
        @Test
        void one() {}

        @Nested
        class Deeper {
            @Test
            void two() {}

            @Test
            @Disabled("shows a skipped case")
            void later() {}
        }
    }
}
