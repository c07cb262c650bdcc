package io.holdfast.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes as a value. The array is shared and not copied: nobody writes to it once it is wrapped. */
public final class Bytes implements Comparable<Bytes> {

  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  public static Bytes of(byte[] array) {
    return new Bytes(array);
  }

  /** The UTF-8 of a text. */
  public static Bytes of(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The bytes themselves, not a copy. */
  public byte[] array() {
    return array;
  }

  public int size() {
    return array.length;
  }

  /** The text that these bytes are in UTF-8. */
  public String text() {
    return new String(array, StandardCharsets.UTF_8);
  }

  /** In the order of the bytes, none of which is negative. */
  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, other.array);
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
    return "[" + array.length + " bytes]";
  }
}
