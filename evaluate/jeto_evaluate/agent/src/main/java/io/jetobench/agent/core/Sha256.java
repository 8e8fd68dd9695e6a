package io.jetobench.agent.core;

import java.nio.charset.Charset;

/**
 * SHA-256 (FIPS 180-4). The JDK's own would start its security providers in the JVM that is being
 * measured.
 */
final class Sha256 {
  private static final int[] K = new int[64];
  private static final int[] START = new int[8];

  static {
    // The constants are the fractions of the cube and square roots of the first primes.
    int found = 0;
    for (int n = 2; found < 64; n++) {
      if (isPrime(n)) {
        if (found < 8) {
          START[found] = fraction(n, 2);
        }
        K[found++] = fraction(n, 3);
      }
    }
  }

  private Sha256() {}

  static String hex(String text) {
    byte[] data = text.getBytes(Charset.forName("UTF-8"));
    byte[] padded = new byte[(data.length + 8) / 64 * 64 + 64];
    System.arraycopy(data, 0, padded, 0, data.length);
    padded[data.length] = (byte) 0x80;
    long bits = 8L * data.length;
    for (int i = 0; i < 8; i++) {
      padded[padded.length - 1 - i] = (byte) (bits >>> 8 * i);
    }
    int[] hash = START.clone();
    int[] w = new int[64];
    for (int at = 0; at < padded.length; at += 64) {
      block(padded, at, w, hash);
    }
    StringBuilder hex = new StringBuilder(64);
    for (int word : hash) {
      for (int shift = 28; shift >= 0; shift -= 4) {
        hex.append("0123456789abcdef".charAt(word >>> shift & 15));
      }
    }
    return hex.toString();
  }

  private static void block(byte[] data, int at, int[] w, int[] hash) {
    for (int i = 0; i < 16; i++) {
      int j = at + 4 * i;
      w[i] =
          (data[j] & 255) << 24
              | (data[j + 1] & 255) << 16
              | (data[j + 2] & 255) << 8
              | data[j + 3] & 255;
    }
    for (int i = 16; i < 64; i++) {
      int s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >>> 3;
      int s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >>> 10;
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    int[] v = hash.clone();
    for (int i = 0; i < 64; i++) {
      int s1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
      int choice = v[4] & v[5] ^ ~v[4] & v[6];
      int t1 = v[7] + s1 + choice + K[i] + w[i];
      int s0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
      int majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2];
      System.arraycopy(v, 0, v, 1, 7);
      v[4] += t1;
      v[0] = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; i++) {
      hash[i] += v[i];
    }
  }

  private static int turn(int value, int by) {
    return value >>> by | value << 32 - by;
  }

  private static boolean isPrime(int n) {
    for (int d = 2; d * d <= n; d++) {
      if (n % d == 0) {
        return false;
      }
    }
    return true;
  }

  /** The first 32 bits of the fraction of a root; a double has enough. */
  private static int fraction(int n, int degree) {
    double root = degree == 2 ? Math.sqrt(n) : Math.cbrt(n);
    return (int) (long) ((root - Math.floor(root)) * (1L << 32));
  }
}
