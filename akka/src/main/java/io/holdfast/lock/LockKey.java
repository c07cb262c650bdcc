package io.holdfast.lock;

/** The name of a lock: 1 to 512 bytes of valid UTF-8 without control characters. */
public record LockKey(String value) {

  public static final int MAX_BYTES = 512;

  public LockKey {
    Text.require("key", value, MAX_BYTES);
  }

  @Override
  public String toString() {
    return value;
  }
}
