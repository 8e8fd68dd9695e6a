package io.jetobench.agent.core;

import java.nio.charset.Charset;

/**
 * SHA-256 (FIPS 180-4). The JDK's own would start its security providers in the JVM that is being
 * measured.
 */
final class Sha256 {
  // Fractions of the cube and square roots of the first primes, written out: to compute them takes
  // longer than to hash.
  private static final int[] K = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
  };
  private static final int[] START = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
  };

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
      int x = w[i - 15];
      int y = w[i - 2];
      w[i] =
          w[i - 16]
              + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3)
              + w[i - 7]
              + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10);
    }
    // No calls and no arrays: this is interpreted.
    int a = hash[0];
    int b = hash[1];
    int c = hash[2];
    int d = hash[3];
    int e = hash[4];
    int f = hash[5];
    int g = hash[6];
    int h = hash[7];
    for (int i = 0; i < 64; i++) {
      int s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
      int s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
      int t1 = h + s1 + (e & f ^ ~e & g) + K[i] + w[i];
      int t2 = s0 + (a & b ^ a & c ^ b & c);
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    hash[0] += a;
    hash[1] += b;
    hash[2] += c;
    hash[3] += d;
    hash[4] += e;
    hash[5] += f;
    hash[6] += g;
    hash[7] += h;
  }
}
