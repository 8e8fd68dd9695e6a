package io.jetobench.agent.core;

import java.io.FileOutputStream;
import java.io.IOException;

/** A file or named pipe that receives one write for every line, until it fails once. */
final class Output {
  private FileOutputStream out;

  /** Opens the output; a pipe is waited for until somebody reads it. */
  Output(String path) throws IOException {
    out = new FileOutputStream(path, true);
  }

  /** Writes ASCII text and the end of the line. */
  @SuppressWarnings("deprecation") // for what is not ASCII
  synchronized void line(StringBuilder text) {
    if (out == null) {
      return;
    }
    int length = text.length();
    byte[] bytes = new byte[length + 1];
    text.toString().getBytes(0, length, bytes, 0);
    bytes[length] = '\n';
    try {
      out.write(bytes, 0, bytes.length);
    } catch (IOException e) {
      out = null; // The reader is gone; closing could touch a descriptor that is not ours any more.
    }
  }
}
