package io.holdfast.hosting;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import com.typesafe.config.ConfigFactory;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.keeper.PermanentShard;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Tests that a lock whose actor failed is restarted, not in a busy loop, and only by its owner. */
class EntityRestarterTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ManualTime.config()
              .withFallback(ConfigFactory.parseString("akka.actor.provider = local"))
              .withFallback(ConfigFactory.load()));
  private static final ManualTime TIME = ManualTime.get(KIT.system());

  private final TestProbe<ShardMessage> entity = KIT.createTestProbe(ShardMessage.class);
  private Optional<OwnedShard> owned =
      Optional.of(new PermanentShard(ShardId.of(3), new Epoch(1), new AtomicLong()));
  private final ShardOwnership ownership = shard -> owned;
  private final EntityRestarter restarter = new EntityRestarter(KIT.system(), ownership);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void a_failed_lock_is_restarted_after_a_pause() {
    restarter.failed(ShardId.of(3), entity.getRef());
    TIME.timePasses(EntityRestarter.MIN_PAUSE.minusMillis(1));
    entity.expectNoMessage(Duration.ZERO);
    restarted(EntityRestarter.MIN_PAUSE);
  }

  @Test
  void the_pause_grows_with_each_failure_up_to_a_bound() {
    Duration pause = EntityRestarter.MIN_PAUSE;
    for (int i = 0; i < 12; i++) {
      restarter.failed(ShardId.of(3), entity.getRef());
      TIME.timePasses(pause.minusMillis(1));
      entity.expectNoMessage(Duration.ZERO);
      restarted(pause);
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(EntityRestarter.MAX_PAUSE) < 0 ? pause : EntityRestarter.MAX_PAUSE;
    }
  }

  @Test
  void a_node_that_lost_the_shard_does_not_restart_the_lock() {
    restarter.failed(ShardId.of(3), entity.getRef());
    owned = Optional.empty();
    TIME.timePasses(EntityRestarter.MAX_PAUSE);
    entity.expectNoMessage(Duration.ZERO);
  }

  /** Advances by the pause, with its jitter. */
  private void restarted(Duration pause) {
    TIME.timePasses(pause);
    entity.expectMessage(ShardMessage.Lifecycle.WAKE);
  }
}
