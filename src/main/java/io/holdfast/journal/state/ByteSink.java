package io.holdfast.journal.state;

/** Where bytes go, piece by piece. */
@FunctionalInterface
public interface ByteSink {

  /** Takes these bytes; the array is used again afterwards. */
  void write(byte[] bytes, int from, int to);
}
