package io.jetobench.agent.core;

/** The agent's arguments. */
final class Options {
  private static final String OUT = "out=";
  private static final String SEED = ",seed=";

  final String out;

  /** A whole number in digits; null: the order of classes is left alone. */
  final String seed;

  private Options(String out, String seed) {
    this.out = out;
    this.seed = seed;
  }

  static Options parse(String arguments) {
    if (arguments == null || !arguments.startsWith(OUT)) {
      throw new IllegalArgumentException("out=PATH is missing");
    }
    int comma = arguments.lastIndexOf(SEED);
    if (comma < 0) {
      return new Options(arguments.substring(OUT.length()), null);
    }
    String seed = arguments.substring(comma + SEED.length());
    if (!isNumber(seed)) {
      throw new IllegalArgumentException("seed is not a number: " + seed);
    }
    return new Options(arguments.substring(OUT.length(), comma), seed);
  }

  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.equals("0") || !text.isEmpty() && text.charAt(0) != '0';
  }
}
