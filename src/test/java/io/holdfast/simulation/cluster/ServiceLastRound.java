package io.holdfast.simulation.cluster;

import io.holdfast.lock.LockKey;
import io.holdfast.service.LockGrant;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** I12, for those who live: as {@link LastRound}, by a service. */
final class ServiceLastRound {

  private static final long AGAIN_US = 350_000;
  private static final Duration TTL = Duration.ofMillis(800);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Service service;
  private final Deque<String> keys;
  private String last = "";

  ServiceLastRound(Service service, Collection<String> keys) {
    this.service = service;
    this.keys = new ArrayDeque<>(keys);
  }

  boolean isOver() {
    return keys.isEmpty();
  }

  /** Asks for the next key. */
  void begin() {
    if (!isOver()) {
      var unused =
          service
              .lockClient()
              .lock(new LockKey(keys.element()))
              .lock(TTL, PATIENCE)
              .whenComplete(
                  (granted, failure) ->
                      service.later(
                          0,
                          "is told",
                          () -> answered(failure == null ? granted : Optional.empty(), failure)));
    }
  }

  private void answered(Optional<LockGrant> granted, @Nullable Throwable failure) {
    if (granted.isEmpty()) {
      last = granted + " " + failure;
      service.later(AGAIN_US, "asks anew", this::begin);
      return;
    }
    var unused =
        granted
            .get()
            .unlock()
            .whenComplete((was, failed) -> service.later(0, "has given back", this::next));
  }

  private void next() {
    service.locks().count("served once more");
    service.count("served once more");
    keys.remove();
    begin();
  }

  @Override
  public String toString() {
    return service + ", which asks once more for " + keys + " " + last;
  }
}
