package io.holdfast.entity;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import com.typesafe.config.ConfigFactory;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.ShardOwnership;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A lock whose actor failed is asked for again, but not in a busy loop, and not by everyone. */
class RevivalsTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ManualTime.config()
              .withFallback(ConfigFactory.parseString("akka.actor.provider = local"))
              .withFallback(ConfigFactory.load()));
  private static final ManualTime TIME = ManualTime.get(KIT.system());

  private final TestProbe<ShardMessage> door = KIT.createTestProbe(ShardMessage.class);
  private Optional<OwnedShard> owned = Optional.of(new OwnedForGood(3, 1, new AtomicLong()));
  private final ShardOwnership ownership = shard -> owned;
  private final Revivals revivals = new Revivals(KIT.system(), ownership);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void a_lock_that_failed_is_asked_for_after_a_pause() {
    revivals.failed(3, door.getRef());
    TIME.timePasses(Revivals.MIN_PAUSE.minusMillis(1));
    door.expectNoMessage(Duration.ZERO);
    revived(Revivals.MIN_PAUSE);
  }

  @Test
  void the_pause_grows_while_it_fails_again_up_to_a_bound() {
    Duration pause = Revivals.MIN_PAUSE;
    for (int i = 0; i < 12; i++) {
      revivals.failed(3, door.getRef());
      TIME.timePasses(pause.minusMillis(1));
      door.expectNoMessage(Duration.ZERO);
      revived(pause);
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(Revivals.MAX_PAUSE) < 0 ? pause : Revivals.MAX_PAUSE;
    }
  }

  @Test
  void a_node_that_lost_the_shard_leaves_the_lock_to_its_next_owner() {
    revivals.failed(3, door.getRef());
    owned = Optional.empty();
    TIME.timePasses(Revivals.MAX_PAUSE);
    door.expectNoMessage(Duration.ZERO);
  }

  /** With all that is left to chance. */
  private void revived(Duration pause) {
    TIME.timePasses(pause);
    door.expectMessage(ShardMessage.Lifecycle.WAKE);
  }
}
