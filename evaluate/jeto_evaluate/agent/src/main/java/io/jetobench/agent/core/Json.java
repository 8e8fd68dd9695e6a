package io.jetobench.agent.core;

/** Writes one line of JSON in ASCII. */
final class Json {
  private static final String HEX = "0123456789abcdef";

  final StringBuilder text;
  private boolean first = true;

  Json(int size) {
    text = new StringBuilder(size);
  }

  Json open(char bracket) {
    separate();
    text.append(bracket);
    first = true;
    return this;
  }

  Json close(char bracket) {
    text.append(bracket);
    first = false;
    return this;
  }

  Json key(String name) {
    string(name);
    text.append(':');
    first = true;
    return this;
  }

  /** Appends a number; a negative one is a value that there is not. */
  Json number(long value) {
    separate();
    if (value < 0) {
      text.append("null");
    } else {
      text.append(value);
    }
    return this;
  }

  Json bool(boolean value) {
    separate();
    text.append(value);
    return this;
  }

  /** Appends what is JSON already. */
  Json raw(String value) {
    separate();
    text.append(value);
    return this;
  }

  Json string(String value) {
    separate();
    text.append('"');
    int length = value.length();
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c >= ' ' && c < 127) {
        text.append(c);
      } else {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append(HEX.charAt(c >> shift & 15));
        }
      }
    }
    text.append('"');
    return this;
  }

  private void separate() {
    if (!first) {
      text.append(',');
    }
    first = false;
  }
}
