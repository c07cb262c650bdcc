package io.holdfast.service;

import io.holdfast.lock.LockKey;
import io.holdfast.lock.Refusal;

/** Thrown when a lock refused a command. Nothing was changed. */
public final class LockRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  LockRefused(LockKey key, Refusal refusal) {
    super("lock [%s] refused: %s".formatted(key.value(), refusal), null, false, false);
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
