package io.holdfast.lock;

/**
 * A request in the queue of a lock.
 *
 * @param since the revision at which it came
 */
public record Waiter(
    HolderId id,
    RequestHeader request,
    Lifetime life,
    WaitTimeout waitTimeout,
    Metadata metadata,
    long since) {

  public Waiter {
    if (!waitTimeout.waits()) {
      throw new IllegalArgumentException("a waiter does not wait [" + waitTimeout + "]");
    }
  }

  /** Returns an upper estimate of its size in the journal, in bytes. */
  public int bytes() {
    return WaiterBytes.of(this);
  }

  public Holder granted(FencingToken token) {
    return new Holder(id, request, token, life, 1, metadata);
  }
}
