package io.holdfast.journal.state;

/** Where bytes come from, piece by piece. */
@FunctionalInterface
public interface ByteSource {

  /** Puts at least one byte between these places, and says how many; -1 at the end. */
  int read(byte[] into, int from, int to);
}
