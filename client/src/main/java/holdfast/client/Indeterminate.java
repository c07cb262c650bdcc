package holdfast.client;

/**
 * The outcome of a request is unknown: it may have had an effect, or may still. A lock that was
 * granted without our learning of it ends with its ttl.
 */
public final class Indeterminate extends HoldfastException {

  Indeterminate(String message, Throwable cause) {
    super(message, cause);
  }
}
