package io.holdfast.journal.state;

import io.holdfast.bytes.ByteSink;

/** A hash of a sequence of bytes (FNV-1a, 64 bits). */
final class Digest implements ByteSink {

  private static final long PRIME = 0x100000001b3L;

  private long value = 0xcbf29ce484222325L;

  @Override
  public void write(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      value = (value ^ (bytes[i] & 0xff)) * PRIME;
    }
  }

  long value() {
    return value;
  }
}
