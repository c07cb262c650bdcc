package io.holdfast.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request is unknown: it may have had an effect, or may still have one. A grant
 * whose answer was lost ends with its ttl.
 */
public final class Indeterminate extends HoldfastException {

  @Serial private static final long serialVersionUID = 1L;

  Indeterminate(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
