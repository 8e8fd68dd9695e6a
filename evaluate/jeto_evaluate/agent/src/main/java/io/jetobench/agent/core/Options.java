package io.jetobench.agent.core;

/** The agent's arguments. */
final class Options {
  private static final String OUT = "out=";
  private static final String SEED = ",seed=";
  private static final String AHEAD = ",ahead=";

  final String out;

  /** A whole number in digits; null: the order of classes is left alone. */
  final String seed;

  /** Which classes are hooked before the main class is loaded; null: each when it is loaded. */
  final String ahead;

  private Options(String out, String seed, String ahead) {
    this.out = out;
    this.seed = seed;
    this.ahead = ahead;
  }

  static Options parse(String arguments) {
    if (arguments == null || !arguments.startsWith(OUT)) {
      throw new IllegalArgumentException("out=PATH is missing");
    }
    String rest = arguments.substring(OUT.length());
    String ahead = after(AHEAD, rest);
    rest = before(AHEAD, rest);
    String seed = after(SEED, rest);
    if (seed != null && !isNumber(seed)) {
      throw new IllegalArgumentException("seed is not a number: " + seed);
    }
    return new Options(before(SEED, rest), seed, ahead);
  }

  private static String after(String key, String text) {
    int at = text.lastIndexOf(key);
    return at < 0 ? null : text.substring(at + key.length());
  }

  private static String before(String key, String text) {
    int at = text.lastIndexOf(key);
    return at < 0 ? text : text.substring(0, at);
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
