package io.holdfast.lock;

/**
 * Tells a repeated request from another one under the same id: a number of 64 bits of all that is
 * asked for. It guards a client against its own mistakes, not the cluster against its clients.
 */
public final class Content {

  /** The content of a request that nobody has seen: any will do. */
  public static final long ANY = 0;

  private static final long OFFSET = 0xcbf29ce484222325L; // FNV-1a
  private static final long PRIME = 0x100000001b3L;

  private long hash = OFFSET;

  /** Adds a text. */
  public Content and(String text) {
    for (int i = 0; i < text.length(); i++) {
      mix(text.charAt(i));
    }
    return and(text.length());
  }

  /** Adds a number. */
  public Content and(long number) {
    for (int shift = 0; shift < Long.SIZE; shift += Short.SIZE) {
      mix((number >>> shift) & 0xffff);
    }
    return this;
  }

  /** Adds a flag. */
  public Content and(boolean flag) {
    return and(flag ? 1 : 0);
  }

  /** Adds bytes. */
  public Content and(byte[] bytes) {
    for (byte each : bytes) {
      mix(each & 0xff);
    }
    return and(bytes.length);
  }

  private void mix(long value) {
    hash = (hash ^ value) * PRIME;
  }

  /** What all of it comes to; never {@link #ANY}. */
  public long value() {
    return hash == ANY ? 1 : hash;
  }
}
