package io.holdfast.client.fencing;

import java.io.Serial;

/** A write was refused: a later holder of the lock has written already. */
public final class StaleToken extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;
  private final String key;
  private final long fencingToken;

  public StaleToken(String key, long fencingToken) {
    super("the token [%d] of [%s] is smaller than one seen before".formatted(fencingToken, key));
    this.key = key;
    this.fencingToken = fencingToken;
  }

  public String key() {
    return key;
  }

  /** The token that was refused. */
  public long fencingToken() {
    return fencingToken;
  }
}
