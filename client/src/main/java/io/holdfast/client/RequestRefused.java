package io.holdfast.client;

import io.holdfast.v1.Reason;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The request was refused, and certainly had no effect: by the server, or before it was sent, by
 * the bounds of the contract.
 */
public final class RequestRefused extends HoldfastException {

  @Serial private static final long serialVersionUID = 1L;
  private final Reason reason;

  RequestRefused(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Why, as the contract names it; {@code UNRECOGNIZED} if only a newer client knows it. */
  public Reason reason() {
    return reason;
  }
}
