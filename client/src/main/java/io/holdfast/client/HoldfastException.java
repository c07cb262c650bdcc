package io.holdfast.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The reason for which an operation failed. Unchecked; the closed family of everything this client
 * throws.
 */
public abstract sealed class HoldfastException extends RuntimeException
    permits Indeterminate, LockNotAcquired, NotSurelyHeld, RequestRefused, Unavailable {

  @Serial private static final long serialVersionUID = 1L;

  HoldfastException(String message) {
    super(message);
  }

  HoldfastException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
