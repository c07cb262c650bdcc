package io.holdfast.lock;

import java.time.Duration;

/**
 * The holder of a lock, with its token.
 *
 * @param request the request that was granted, to recognise its repetition
 * @param count the number of releases that end it
 * @param aged the part of its own ttl that has surely passed since its last keepalive; every event
 *     that is a keepalive sets it back to zero
 */
public record Holder(
    HolderId id,
    RequestHeader request,
    FencingToken token,
    Lifetime life,
    int count,
    Metadata metadata,
    Duration aged) {

  public static final int MAX_COUNT = 65_535;

  public Holder {
    OutOfBound.check("count", count, 1, MAX_COUNT);
    long most = life.lease().isPresent() ? 0 : life.ttl().millis();
    OutOfBound.check("aged_ms", aged.toMillis(), 0, most);
  }

  /** Creates a holder that was alive just now. */
  public Holder(
      HolderId id,
      RequestHeader request,
      FencingToken token,
      Lifetime life,
      int count,
      Metadata metadata) {
    this(id, request, token, life, count, metadata, Duration.ZERO);
  }

  public Holder withCount(int changed) {
    return new Holder(id, request, token, life, changed, metadata);
  }

  public Holder withAged(Duration changed) {
    return new Holder(id, request, token, life, count, metadata, changed);
  }
}
