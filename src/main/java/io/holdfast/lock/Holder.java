package io.holdfast.lock;

import java.time.Duration;

/**
 * Who holds a lock, under which token.
 *
 * @param request the request that was granted, so that its repetition is recognised
 * @param count how many releases end it
 * @param aged how much of a ttl of its own has surely passed since its last sign of life; whatever
 *     is a sign of life and an event sets it back to zero
 */
public record Holder(
    HolderId id,
    Request request,
    FencingToken token,
    Life life,
    int count,
    Metadata metadata,
    Duration aged) {

  public static final int MAX_COUNT = 65_535;

  public Holder {
    OutOfBound.check("count", count, 1, MAX_COUNT);
    long most = life.lease().isPresent() ? 0 : life.ttl().millis();
    OutOfBound.check("aged_ms", aged.toMillis(), 0, most);
  }

  /** One that has just given a sign of life. */
  public Holder(
      HolderId id, Request request, FencingToken token, Life life, int count, Metadata metadata) {
    this(id, request, token, life, count, metadata, Duration.ZERO);
  }

  Holder withCount(int changed) {
    return new Holder(id, request, token, life, changed, metadata);
  }

  Holder withAged(Duration changed) {
    return new Holder(id, request, token, life, count, metadata, changed);
  }
}
