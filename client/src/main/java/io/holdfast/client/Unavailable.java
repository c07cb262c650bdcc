package io.holdfast.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * No node could serve the request, which certainly had no effect or was a read. It may be retried.
 */
public final class Unavailable extends HoldfastException {

  @Serial private static final long serialVersionUID = 1L;

  Unavailable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
