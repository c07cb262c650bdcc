package io.holdfast.hosting;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.RecipientRef;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.id.ShardId;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Restarts locks whose actors failed. Without an actor, a grant would not expire, and the result of
 * a write in flight would stay unknown.
 *
 * <p>The shard creates the next actor, like the first one, so that it has the current epoch. The
 * restart comes after a pause, which doubles while the same lock keeps failing. There is none if
 * the node no longer owns the shard.
 */
public final class EntityRestarter {

  public static final Duration MIN_PAUSE = Duration.ofMillis(100);
  static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  /** The largest number of locks with a known pause. Beyond it, the oldest are forgotten. */
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

  EntityRestarter(ActorSystem<?> system, ShardOwnership ownership) {
    this.system = system;
    this.ownership = ownership;
  }

  /**
   * Schedules the restart of a failed actor.
   *
   * @param entity the reference of the lock
   */
  void failed(ShardId shard, RecipientRef<ShardMessage> entity) {
    system
        .scheduler()
        .scheduleOnce(pause(entity), () -> restart(shard, entity), system.executionContext());
  }

  private void restart(ShardId shard, RecipientRef<ShardMessage> entity) {
    if (ownership.of(shard).isPresent()) {
      entity.tell(ShardMessage.Lifecycle.WAKE);
    }
  }

  private synchronized Duration pause(RecipientRef<ShardMessage> entity) {
    long now = System.nanoTime();
    Failure before = failures.remove(entity);
    Duration pause = MIN_PAUSE;
    if (before != null && now - before.atNanos < MAX_PAUSE.multipliedBy(2).toNanos()) {
      Duration doubled = before.pause.multipliedBy(2);
      pause = doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
    }
    failures.put(entity, new Failure(now, pause));
    // Jitter, since many locks may fail for one reason.
    return pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis() / 4));
  }
}
