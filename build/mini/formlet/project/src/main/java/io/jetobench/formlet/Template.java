package io.jetobench.formlet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Text with places for values.
 *
 * <p>{@code {name}} stands for a value and {@code {name^}} for the value in capitals; what stands between {@code {?name}}
 * and {@code {/name}} appears only if there is a value that is not empty; {@code {{}} stands for a brace.
 */
public final class Template {

    private final List<Segment> segments;

    private Template(List<Segment> segments) {
        this.segments = segments;
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException if a brace or a section is left open, or one is closed that was not opened
     */
    public static Template parse(String text) {
        Reader reader = new Reader(text);
        List<Segment> segments = reader.segmentsUntil(null);
        return new Template(segments);
    }

    /** Fills in the values. A place without a value stays empty. */
    public String render(Map<String, String> values) {
        StringBuilder out = new StringBuilder();
        append(segments, values, out);
        return out.toString();
    }

    private static void append(List<Segment> segments, Map<String, String> values, StringBuilder out) {
        for (Segment segment : segments) {
            switch (segment) {
                case Segment.Literal(String text) -> out.append(text);
                case Segment.Field(String name, boolean upperCase) -> {
                    String value = values.getOrDefault(name, "");
                    out.append(upperCase ? value.toUpperCase(Locale.ROOT) : value);
                }
                case Segment.Section(String name, List<Segment> body) -> {
                    if (!values.getOrDefault(name, "").isEmpty()) {
                        append(body, values, out);
                    }
                }
            }
        }
    }

    private static final class Reader {

        private final String text;
        private int position;

        private Reader(String text) {
            this.text = text;
        }

        /** Reads up to the end of the given section, or of the text if there is none. */
        private List<Segment> segmentsUntil(String section) {
            List<Segment> segments = new ArrayList<>();
            while (position < text.length()) {
                int brace = text.indexOf('{', position);
                int end = brace < 0 ? text.length() : brace;
                if (end > position) {
                    segments.add(new Segment.Literal(text.substring(position, end)));
                }
                position = end;
                if (brace >= 0) {
                    String tag = tag();
                    if (tag.startsWith("/")) {
                        requireOpen(section, tag.substring(1));
                        return segments;
                    }
                    segments.add(segment(tag));
                }
            }
            if (section != null) {
                throw new IllegalArgumentException("Section " + section + " is not closed");
            }
            return segments;
        }

        private String tag() {
            if (text.startsWith("{{}", position)) {
                position += 3;
                return "{";
            }
            int close = text.indexOf('}', position);
            if (close < 0) {
                throw new IllegalArgumentException("Brace at position " + position + " is not closed");
            }
            String tag = text.substring(position + 1, close);
            position = close + 1;
            return tag;
        }

        private Segment segment(String tag) {
            if (tag.equals("{")) {
                return new Segment.Literal("{");
            }
            if (tag.startsWith("?")) {
                String name = tag.substring(1);
                return new Segment.Section(name, segmentsUntil(name));
            }
            boolean upperCase = tag.endsWith("^");
            return new Segment.Field(upperCase ? tag.substring(0, tag.length() - 1) : tag, upperCase);
        }

        private static void requireOpen(String open, String closed) {
            if (!Objects.equals(open, closed)) {
                throw new IllegalArgumentException("Section " + closed + " is closed where " + open + " is open");
            }
        }
    }
}
