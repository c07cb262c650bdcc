package io.holdfast.entity;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.RecipientRef;
import io.holdfast.coordination.ShardOwnership;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Brings back locks whose actors failed: nobody else would end a grant whose time is over, nor
 * learn of one that was on its way.
 *
 * <p>The next actor is made by the shard, like the first one, so that it acts under the epoch of
 * then. It is asked for after a pause, which grows while one and the same lock fails again and
 * again; and not at all if the node no longer owns the shard.
 */
final class Revivals {

  static final Duration MIN_PAUSE = Duration.ofMillis(100);
  static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  /** The growing pauses of so many locks are known; of more the first begin anew. */
  private static final int MAX_KNOWN = 10_000;

  private record Failure(long atNanos, Duration pause) {}

  private final ActorSystem<?> system;
  private final ShardOwnership ownership;
  private final Map<RecipientRef<ShardMessage>, Failure> failures =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RecipientRef<ShardMessage>, Failure> eldest) {
          return size() > MAX_KNOWN;
        }
      };

  Revivals(ActorSystem<?> system, ShardOwnership ownership) {
    this.system = system;
    this.ownership = ownership;
  }

  /**
   * The actor of a lock has failed.
   *
   * @param door the way to the lock
   */
  void failed(int shard, RecipientRef<ShardMessage> door) {
    system
        .scheduler()
        .scheduleOnce(pause(door), () -> revive(shard, door), system.executionContext());
  }

  private void revive(int shard, RecipientRef<ShardMessage> door) {
    if (ownership.of(shard).isPresent()) {
      door.tell(ShardMessage.Lifecycle.WAKE);
    }
  }

  private synchronized Duration pause(RecipientRef<ShardMessage> door) {
    long now = System.nanoTime();
    Failure before = failures.remove(door);
    Duration pause = MIN_PAUSE;
    if (before != null && now - before.atNanos < MAX_PAUSE.multipliedBy(2).toNanos()) {
      Duration doubled = before.pause.multipliedBy(2);
      pause = doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
    }
    failures.put(door, new Failure(now, pause));
    // Not all at once, when many locks fail for one reason.
    return pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis() / 4));
  }
}
