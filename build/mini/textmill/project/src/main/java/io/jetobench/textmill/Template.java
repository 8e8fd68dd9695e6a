package io.jetobench.textmill;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A text with holes.
 *
 * <ul>
 *   <li>{@code {{name}}} is replaced by the value of that name;
 *   <li>{@code {{name|upper}}} applies a filter first: {@code upper}, {@code lower} or {@code trim};
 *   <li>{@code {{#name}}...{{/name}}} repeats its body for each map of a list. Inside, names are
 *       looked up in that map first and then in the maps around it.
 * </ul>
 *
 * <p>A name without a value is an error when rendering: a silent gap is harder to find.
 */
public final class Template {

    private static final String OPEN = "{{";
    private static final String CLOSE = "}}";

    private final List<Node> nodes;

    private Template(List<Node> nodes) {
        this.nodes = nodes;
    }

    /**
     * Compiles a template, which can then be rendered any number of times.
     *
     * @throws SyntaxException if a hole is not closed, has no name or an unknown filter, or if
     *     sections do not nest
     */
    public static Template compile(SourceText source) {
        return new Template(new Parser(source).parse());
    }

    /**
     * Fills the holes.
     *
     * @param values strings, numbers or other objects with a sensible {@code toString}, and lists of
     *     maps for sections
     * @throws IllegalArgumentException if a value is missing, or is not a list where one is needed
     */
    public String render(Map<String, ?> values) {
        StringBuilder out = new StringBuilder();
        renderAll(nodes, new Scope(values, null), out);
        return out.toString();
    }

    private static void renderAll(List<Node> nodes, Scope scope, StringBuilder out) {
        for (Node node : nodes) {
            node.render(scope, out);
        }
    }

    /** Values by name, and the scope around. */
    private static final class Scope {

        private final Map<?, ?> values;
        private final Scope outer;

        Scope(Map<?, ?> values, Scope outer) {
            this.values = values;
            this.outer = outer;
        }

        Object get(String name) {
            for (Scope scope = this; scope != null; scope = scope.outer) {
                Object value = scope.values.get(name);
                if (value != null) {
                    return value;
                }
            }
            throw new IllegalArgumentException("no value for '" + name + "'");
        }
    }

    private interface Node {

        void render(Scope scope, StringBuilder out);
    }

    private static final class Literal implements Node {

        private final String text;

        Literal(String text) {
            this.text = text;
        }

        @Override
        public void render(Scope scope, StringBuilder out) {
            out.append(text);
        }
    }

    private static final class Hole implements Node {

        private final String name;
        private final Filter filter;

        Hole(String name, Filter filter) {
            this.name = name;
            this.filter = filter;
        }

        @Override
        public void render(Scope scope, StringBuilder out) {
            out.append(filter.apply(scope.get(name).toString()));
        }
    }

    private static final class Section implements Node {

        private final String name;
        private final List<Node> body;

        Section(String name, List<Node> body) {
            this.name = name;
            this.body = body;
        }

        @Override
        public void render(Scope scope, StringBuilder out) {
            Object value = scope.get(name);
            if (!(value instanceof List)) {
                throw new IllegalArgumentException("'" + name + "' is not a list");
            }
            for (Object item : (List<?>) value) {
                if (!(item instanceof Map)) {
                    throw new IllegalArgumentException("'" + name + "' holds something else than maps");
                }
                renderAll(body, new Scope((Map<?, ?>) item, scope), out);
            }
        }
    }

    private enum Filter {
        NONE {
            @Override
            String apply(String value) {
                return value;
            }
        },
        UPPER {
            @Override
            String apply(String value) {
                return value.toUpperCase(Locale.ROOT);
            }
        },
        LOWER {
            @Override
            String apply(String value) {
                return value.toLowerCase(Locale.ROOT);
            }
        },
        TRIM {
            @Override
            String apply(String value) {
                return value.trim();
            }
        };

        abstract String apply(String value);

        static Filter named(String name) {
            for (Filter filter : values()) {
                if (filter != NONE && filter.name().toLowerCase(Locale.ROOT).equals(name)) {
                    return filter;
                }
            }
            return null;
        }
    }

    /** Reads a template from left to right; one use only. */
    private static final class Parser {

        private final SourceText source;
        private final String text;
        private int next;

        Parser(SourceText source) {
            this.source = source;
            this.text = source.text();
        }

        List<Node> parse() {
            return parseUntilEnd(null, 0);
        }

        /**
         * Reads nodes up to the end tag of a section, or of the text if {@code section} is null.
         *
         * @param opened where the section was opened
         */
        private List<Node> parseUntilEnd(String section, int opened) {
            List<Node> nodes = new ArrayList<>();
            while (true) {
                int open = text.indexOf(OPEN, next);
                int literalEnd = open < 0 ? text.length() : open;
                if (literalEnd > next) {
                    nodes.add(new Literal(text.substring(next, literalEnd)));
                }
                next = literalEnd;
                if (open < 0) {
                    if (section != null) {
                        throw new SyntaxException(source, opened, "section '" + section + "' is not closed");
                    }
                    return nodes;
                }
                String tag = readTag(open);
                if (tag.startsWith("/")) {
                    String name = tag.substring(1).trim();
                    if (!name.equals(section)) {
                        throw new SyntaxException(source, open, "section '" + name + "' is not open here");
                    }
                    return nodes;
                }
                nodes.add(tag.startsWith("#") ? section(tag, open) : hole(tag, open));
            }
        }

        private String readTag(int open) {
            int close = text.indexOf(CLOSE, open + OPEN.length());
            if (close < 0) {
                throw new SyntaxException(source, open, "'{{' is not closed");
            }
            next = close + CLOSE.length();
            return text.substring(open + OPEN.length(), close).trim();
        }

        private Node section(String tag, int open) {
            String name = nonEmpty(tag.substring(1).trim(), open);
            return new Section(name, parseUntilEnd(name, open));
        }

        private Node hole(String tag, int open) {
            int bar = tag.indexOf('|');
            if (bar < 0) {
                return new Hole(nonEmpty(tag, open), Filter.NONE);
            }
            String filterName = tag.substring(bar + 1).trim();
            Filter filter = Filter.named(filterName);
            if (filter == null) {
                throw new SyntaxException(source, open, "unknown filter '" + filterName + "'");
            }
            return new Hole(nonEmpty(tag.substring(0, bar).trim(), open), filter);
        }

        private String nonEmpty(String name, int open) {
            if (name.isEmpty()) {
                throw new SyntaxException(source, open, "a name is missing");
            }
            return name;
        }
    }
}
