package io.holdfast.bytes;

/** A source of bytes, piece by piece. */
@FunctionalInterface
public interface ByteSource {

  /** Reads at least one byte into this range. Returns the number of bytes; -1 at the end. */
  int read(byte[] into, int from, int to);
}
