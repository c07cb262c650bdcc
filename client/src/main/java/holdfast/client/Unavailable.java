package holdfast.client;

/**
 * No node could serve the request, which certainly had no effect, or was a read. It may be tried
 * again.
 */
public final class Unavailable extends HoldfastException {

  Unavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
