package io.holdfast.client;

import java.io.Serial;

/** The lock was not obtained in time. This request neither holds it nor waits for it any more. */
public final class LockNotAcquired extends HoldfastException {

  @Serial private static final long serialVersionUID = 1L;
  private final String key;

  LockNotAcquired(String key, String message) {
    super(message);
    this.key = key;
  }

  public String key() {
    return key;
  }
}
