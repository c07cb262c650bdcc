package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockState;
import io.holdfast.lock.RequestId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The askers to tell when their wait in line ends, of all locks of a shard under one ownership. A
 * lock's actor may leave memory meanwhile, and the next one tells them. Bounded by the lines. Safe
 * for use by many threads, if those of one lock are used by its actor alone.
 */
final class Askers {

  /** An asker, and the number by which it knows its request. */
  record Asker(long number, ActorRef<LockAnswer> replyTo) {}

  private final Map<LockKey, Map<RequestId, Asker>> byLock = new ConcurrentHashMap<>();

  /** A request that is repeated has a new asker: the one before has given up. */
  void put(LockKey key, RequestId request, Asker asker) {
    byLock.computeIfAbsent(key, unused -> new HashMap<>()).put(request, asker);
  }

  /** The asker of a request that waits no longer, if it is known. */
  @Nullable Asker remove(LockKey key, RequestId request) {
    Map<RequestId, Asker> ofLock = byLock.get(key);
    if (ofLock == null) {
      return null;
    }
    Asker asker = ofLock.remove(request);
    if (ofLock.isEmpty()) {
      byLock.remove(key);
    }
    return asker;
  }

  /** A new actor has found this state. Those who are not in line any more will ask again. */
  void recovered(LockKey key, LockState state) {
    Map<RequestId, Asker> ofLock = byLock.get(key);
    if (ofLock != null) {
      ofLock.keySet().removeIf(request -> state.waiters().position(request) == 0);
      if (ofLock.isEmpty()) {
        byLock.remove(key);
      }
    }
  }
}
