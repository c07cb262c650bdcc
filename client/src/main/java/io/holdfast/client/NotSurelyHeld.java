package io.holdfast.client;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A grant was used after its loss or release: another holder may have the lock. */
public final class NotSurelyHeld extends HoldfastException {

  @Serial private static final long serialVersionUID = 1L;
  private final String key;
  private final long fencingToken;
  private final @Nullable LossReason reason;

  NotSurelyHeld(String key, long fencingToken, @Nullable LossReason reason) {
    super(
        "the grant [%d] of lock [%s] %s"
            .formatted(fencingToken, key, reason == null ? "was released" : "was lost: " + reason));
    this.key = key;
    this.fencingToken = fencingToken;
    this.reason = reason;
  }

  public String key() {
    return key;
  }

  public long fencingToken() {
    return fencingToken;
  }

  /** Returns the reason for which it was lost; empty if it was released. */
  public Optional<LossReason> reason() {
    return Optional.ofNullable(reason);
  }
}
