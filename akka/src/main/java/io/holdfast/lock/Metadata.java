package io.holdfast.lock;

import java.util.Arrays;

/** Bytes that a holder attaches for others to read: at most 8 KiB, none by default. Immutable. */
public final class Metadata {

  public static final int MAX_BYTES = 8_192;
  public static final Metadata NONE = new Metadata(new byte[0]);

  private final byte[] bytes;

  private Metadata(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Copies the bytes. */
  public static Metadata of(byte[] bytes) {
    OutOfBound.check("metadata", bytes.length, 0, MAX_BYTES);
    return bytes.length == 0 ? NONE : new Metadata(bytes.clone());
  }

  /** Returns a copy. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the number of bytes. */
  public int size() {
    return bytes.length;
  }

  public boolean isEmpty() {
    return bytes.length == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Metadata that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
