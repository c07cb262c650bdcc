package holdfast.server;

import akka.actor.typed.ActorSystem;
import holdfast.coordination.Owners;
import holdfast.entity.LockShards;
import java.time.Duration;

/**
 * Has shards run that have locks or leases and no owner: after a failure nobody else may ask for
 * them, and what is held there would never end. The node that leads the log does so for all.
 */
final class Waking {

  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final Agreement agreement;
  private final LockShards locks;

  private Waking(Agreement agreement, LockShards locks) {
    this.agreement = agreement;
    this.locks = locks;
  }

  static void begin(ActorSystem<?> system, Agreement agreement, LockShards locks) {
    Waking waking = new Waking(agreement, locks);
    var unused =
        system
            .scheduler()
            .scheduleWithFixedDelay(
                LOOK_EVERY, LOOK_EVERY, waking::look, system.executionContext());
  }

  private void look() {
    if (agreement.log().leadership().leads()) {
      Owners owners = agreement.coordination().owners();
      for (int shard : agreement.journal().version().liveShards()) {
        if (owners.of(shard).isEmpty()) {
          locks.wake(shard);
        }
      }
    }
  }
}
