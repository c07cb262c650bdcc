package holdfast.client;

import java.io.Serial;

/** A grant was needed after its deadline or its release: someone else may hold the lock by now. */
public final class NotSurelyHeld extends HoldfastException {

  @Serial private static final long serialVersionUID = 1L;
  private final String key;
  private final long fencingToken;

  NotSurelyHeld(String key, long fencingToken, String message) {
    super(message);
    this.key = key;
    this.fencingToken = fencingToken;
  }

  public String key() {
    return key;
  }

  public long fencingToken() {
    return fencingToken;
  }
}
