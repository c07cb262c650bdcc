package io.holdfast.client;

import io.holdfast.v1.Reason;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The request was refused, by the server or by the client's own checks, and certainly had no
 * effect.
 */
public final class RequestRefused extends HoldfastException {

  @Serial private static final long serialVersionUID = 1L;
  private final Reason reason;

  RequestRefused(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /**
   * Returns the reason as the contract names it; {@code UNRECOGNIZED} if only a newer client knows
   * it.
   */
  public Reason reason() {
    return reason;
  }
}
