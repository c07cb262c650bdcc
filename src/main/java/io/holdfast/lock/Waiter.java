package io.holdfast.lock;

/**
 * Who waits for a lock, by what request, and for how long.
 *
 * @param since the revision at which it came
 */
public record Waiter(
    HolderId id, Request request, Life life, Patience patience, Metadata metadata, long since) {

  public Waiter {
    if (!patience.waits()) {
      throw new IllegalArgumentException("a waiter has no patience [" + patience + "]");
    }
  }

  /** How many bytes the journal needs for it, or a few more. */
  public int bytes() {
    return WaiterBytes.of(this);
  }

  Holder granted(FencingToken token) {
    return new Holder(id, request, token, life, 1, metadata);
  }
}
