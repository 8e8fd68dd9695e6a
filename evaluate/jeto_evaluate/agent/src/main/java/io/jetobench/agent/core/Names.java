package io.jetobench.agent.core;

/** Reads names as the versions of Surefire give them. */
final class Names {
  private Names() {}

  /** The class of a set: newer versions leave the name out, older give the provider as source. */
  static String ofSet(String source, String name) {
    return name != null && !name.isEmpty() ? name : text(source);
  }

  /** A test without its class, which older versions append as {@code test(a.b.CTest)}. */
  static String ofTest(String source, String name) {
    String test = text(name);
    if (!test.endsWith(")")) {
      return test;
    }
    String suffix = "(" + source + ")";
    return test.endsWith(suffix) ? test.substring(0, test.length() - suffix.length()) : test;
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }
}
