package holdfast.lock;

/** Who waits for a lock, by what request, with which ttl once granted, and for how long. */
public record Waiter(HolderId id, RequestId request, Ttl ttl, Patience patience) {

  public Waiter {
    if (!patience.waits()) {
      throw new IllegalArgumentException("a waiter has no patience [" + patience + "]");
    }
  }

  Holder granted(FencingToken token) {
    return new Holder(id, request, token, ttl);
  }
}
