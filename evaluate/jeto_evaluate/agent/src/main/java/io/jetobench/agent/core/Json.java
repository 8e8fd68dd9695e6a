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

  /** Appends a name that has nothing to be escaped. */
  Json key(String name) {
    separate();
    text.append('"').append(name).append("\":");
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
    int plain = 0;
    while (plain < length && isPlain(value.charAt(plain))) {
      plain++;
    }
    if (plain == length) {
      text.append(value);
    } else {
      escape(value);
    }
    text.append('"');
    return this;
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < 127 && c != '"' && c != '\\';
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isPlain(c)) {
        text.append(c);
      } else if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append(HEX.charAt(c >> shift & 15));
        }
      }
    }
  }

  private void separate() {
    if (!first) {
      text.append(',');
    }
    first = false;
  }
}
