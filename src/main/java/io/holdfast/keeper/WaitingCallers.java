package io.holdfast.keeper;

import akka.actor.typed.ActorRef;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.LockAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The callers to notify at the end of their wait, for all locks of a shard under one ownership.
 * They outlive the lock's actor, which may leave memory meanwhile. Bounded by the queues. Safe for
 * use by many threads, as long as the callers of one lock are used by its actor alone.
 */
public final class WaitingCallers {

  /** A caller, and its own number for the request. */
  public record Caller(long number, ActorRef<LockAnswer> replyTo) {}

  private final Map<LockKey, Map<RequestId, Caller>> byLock = new ConcurrentHashMap<>();

  /** A repeated request has a new caller: the former one has given up. */
  public void put(LockKey key, RequestId request, Caller caller) {
    byLock.computeIfAbsent(key, unused -> new HashMap<>()).put(request, caller);
  }

  /** Removes and returns the caller of a request that stopped waiting; null if it is unknown. */
  public @Nullable Caller remove(LockKey key, RequestId request) {
    Map<RequestId, Caller> ofLock = byLock.get(key);
    if (ofLock == null) {
      return null;
    }
    Caller caller = ofLock.remove(request);
    if (ofLock.isEmpty()) {
      byLock.remove(key);
    }
    return caller;
  }

  /** Removes the callers that are not in the queue of a newly recovered actor. They ask again. */
  public void recovered(LockKey key, LockState state) {
    Map<RequestId, Caller> ofLock = byLock.get(key);
    if (ofLock != null) {
      ofLock.keySet().removeIf(request -> state.waiters().position(request) == 0);
      if (ofLock.isEmpty()) {
        byLock.remove(key);
      }
    }
  }
}
