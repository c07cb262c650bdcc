package holdfast.client;

/** Why something was not done. Unchecked; the closed family of everything this client throws. */
public abstract sealed class HoldfastException extends RuntimeException
    permits Indeterminate, LockNotAcquired, NotSurelyHeld, RequestRefused, Unavailable {

  HoldfastException(String message) {
    super(message);
  }

  HoldfastException(String message, Throwable cause) {
    super(message, cause);
  }
}
