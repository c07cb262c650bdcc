package io.holdfast.raft.core;

import java.util.Arrays;

/** An array of bytes with the equality of its content; shared, and never written to. */
public final class Bytes {

  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /** Wraps the array itself, not a copy. */
  public static Bytes of(byte[] array) {
    return new Bytes(array);
  }

  /** The bytes themselves, not a copy. */
  public byte[] array() {
    return array;
  }

  public int length() {
    return array.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(array, that.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  @Override
  public String toString() {
    return array.length + " bytes";
  }
}
