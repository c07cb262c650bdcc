package io.holdfast.lock;

/**
 * Hashes all that a request asks for into 64 bits, to tell a repeated request from another one with
 * the same id. It protects a client from its own mistakes, not the cluster from its clients.
 */
public final class ContentHash {

  /** The hash of a request that has not arrived: it matches every other hash. */
  public static final long ANY = 0;

  private static final long OFFSET = 0xcbf29ce484222325L; // FNV-1a
  private static final long PRIME = 0x100000001b3L;

  private long hash = OFFSET;

  public ContentHash and(String text) {
    for (int i = 0; i < text.length(); i++) {
      mix(text.charAt(i));
    }
    return and(text.length());
  }

  public ContentHash and(long number) {
    for (int shift = 0; shift < Long.SIZE; shift += Short.SIZE) {
      mix((number >>> shift) & 0xffff);
    }
    return this;
  }

  public ContentHash and(boolean flag) {
    return and(flag ? 1 : 0);
  }

  public ContentHash and(byte[] bytes) {
    for (byte each : bytes) {
      mix(each & 0xff);
    }
    return and(bytes.length);
  }

  private void mix(long value) {
    hash = (hash ^ value) * PRIME;
  }

  /** Returns the hash, which is never {@link #ANY}. */
  public long value() {
    return hash == ANY ? 1 : hash;
  }
}
