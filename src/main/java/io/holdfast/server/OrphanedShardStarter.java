package io.holdfast.server;

import akka.actor.typed.ActorSystem;
import io.holdfast.coordination.member.Owners;
import io.holdfast.grpc.call.ServingState;
import io.holdfast.id.ShardId;
import io.holdfast.sharding.LockShards;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts shards that have locks or leases and no owner: after a failure nobody else may ask for
 * them, and what is held there would never end. The leader of the log does so for all; each node
 * counts them for its readiness.
 */
final class OrphanedShardStarter {

  private static final Logger log = LoggerFactory.getLogger(OrphanedShardStarter.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final Agreement agreement;
  private final LockShards locks;
  private final Ownerless ownerless = new Ownerless();

  private OrphanedShardStarter(Agreement agreement, LockShards locks) {
    this.agreement = agreement;
    this.locks = locks;
  }

  static void begin(ActorSystem<?> system, Agreement agreement, LockShards locks) {
    OrphanedShardStarter starter = new OrphanedShardStarter(agreement, locks);
    ServingState.get(system).watchShards(starter.ownerless::count);
    var unused =
        system
            .scheduler()
            .scheduleWithFixedDelay(
                LOOK_EVERY, LOOK_EVERY, starter::tick, system.executionContext());
  }

  private void tick() {
    try {
      look();
    } catch (RuntimeException e) { // it would end the timer
      log.error("failed to look for shards without an owner: {}", e.getMessage(), e);
    }
  }

  private void look() {
    Owners owners = agreement.coordination().owners();
    List<ShardId> asleep =
        agreement.journal().version().liveShards().stream()
            .filter(shard -> owners.of(shard).isEmpty())
            .toList();
    ownerless.look(asleep, System.nanoTime());
    if (agreement.log().leadership().leads()) {
      asleep.forEach(locks::wake);
    }
  }
}
