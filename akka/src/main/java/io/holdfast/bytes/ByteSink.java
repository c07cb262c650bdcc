package io.holdfast.bytes;

/** A receiver of bytes, piece by piece. */
@FunctionalInterface
public interface ByteSink {

  /** Takes these bytes. The caller uses the array again afterwards. */
  void write(byte[] bytes, int from, int to);
}
