package io.holdfast.simulation.cluster;

import io.holdfast.client.Grant;
import io.holdfast.client.session.LockAttempt;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** I12, for those who live: as {@link LastRound}, by the real client. */
final class RealLastRound {

  private static final long AGAIN_US = 350_000;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final RealClient client;
  private final Deque<String> keys;
  private long token;
  private String last = "";

  RealLastRound(RealClient client, Collection<String> keys) {
    this.client = client;
    this.keys = new ArrayDeque<>(keys);
  }

  boolean isOver() {
    return keys.isEmpty();
  }

  /** Asks for the next key. */
  void begin() {
    if (isOver()) {
      return;
    }
    long ownTtlMs = client.chance().nextInt(3) > 0 ? 0 : 800;
    LockAttempt.Terms terms =
        new LockAttempt.Terms(keys.element(), client.newHolder("last"), ownTtlMs, PATIENCE_NANOS);
    var unused =
        client
            .callers()
            .acquire(terms)
            .whenComplete(
                (grant, failure) ->
                    client.host().later(0, "is answered", () -> answered(grant, failure)));
  }

  private void answered(@Nullable Grant grant, @Nullable Throwable failure) {
    if (grant == null) {
      again(String.valueOf(failure));
      return;
    }
    token = grant.fencingToken();
    var unused =
        grant
            .releaseAsync()
            .whenComplete(
                (wasHeld, failed) ->
                    client.host().later(0, "has given back", () -> released(failed)));
  }

  private void released(@Nullable Throwable failure) {
    if (failure != null) {
      again(failure.toString());
      return;
    }
    client.locks().count("served once more");
    keys.remove();
    begin();
  }

  private void again(String why) {
    last = why;
    client.host().later(AGAIN_US, "asks anew", this::begin);
  }

  @Override
  public String toString() {
    return client + ", which asks once more for " + keys + " under " + token + " " + last;
  }
}
