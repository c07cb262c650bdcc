package io.holdfast.coordination.hosting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.ActorIdentity;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Identify;
import akka.actor.PoisonPill;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.Cluster;
import akka.cluster.MemberStatus;
import akka.cluster.sharding.ShardRegion;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests where Akka runs its shard coordinator, and what ends the wait of a new one. */
@Tag("slow")
class CoordinatorStartTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final long AKKA_WAITS_MS = 500;
  private static final int TRIES = 10;

  private final ActorSystem system =
      ActorSystem.create(
          "holdfast",
          ConfigFactory.parseString(
                  """
                  akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
                  akka.cluster.downing-provider-class = ""
                  akka.cluster.sharding.use-lease = ""
                  akka.cluster.sharding.coordinator-failure-backoff = 10ms
                  """)
              .withFallback(ConfigFactory.load()));
  private final TestKit probe = new TestKit(system);

  @AfterEach
  void stop() {
    TestKit.shutdownActorSystem(system);
  }

  @Test
  void the_coordinator_is_at_its_path_and_waits_if_left_alone() {
    begin();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 2; i++) {
      least = Math.min(least, restartMs());
    }
    assertTrue(least >= AKKA_WAITS_MS, "began after [" + least + " ms]: nobody needs to hurry it");
  }

  @Test
  void a_new_coordinator_begins_before_its_wait_is_over() {
    begin();
    system.actorOf(CoordinatorStart.props());
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && least >= AKKA_WAITS_MS; i++) { // a busy machine may take longer
      least = Math.min(least, restartMs());
    }
    assertTrue(least < AKKA_WAITS_MS, "began after [" + least + " ms]");
  }

  @Test
  void the_message_that_ends_the_wait_is_akkas_own() {
    assertEquals("StateInitialized", CoordinatorStart.ENDS_WAIT.toString());
    assertEquals(
        "akka.cluster.sharding.ShardCoordinator$Internal$StateInitialized$",
        CoordinatorStart.ENDS_WAIT.getClass().getName());
  }

  /** A cluster of one, with a region that the coordinator knows. */
  private void begin() {
    Cluster cluster = Cluster.get(system);
    cluster.join(cluster.selfAddress());
    probe.awaitCond(
        WITHIN, Duration.ofMillis(20), () -> cluster.selfMember().status() == MemberStatus.up());
    EntityTypeKey<String> type = EntityTypeKey.create(String.class, "lock");
    ClusterSharding sharding = ClusterSharding.get(Adapter.toTyped(system));
    var region = sharding.init(Entity.of(type, context -> Behaviors.<String>ignore()));
    region.tell(new akka.cluster.sharding.typed.ShardingEnvelope<>("one", "wake"));
    probe.awaitAssert(
        WITHIN,
        Duration.ofMillis(20),
        () -> {
          system.actorSelection(CoordinatorStart.PATH).tell(regions(), probe.getRef());
          var known =
              probe.expectMsgClass(Duration.ofMillis(100), ShardRegion.CurrentRegions.class);
          assertEquals(1, known.getRegions().size());
          return null;
        });
  }

  private static Object regions() {
    return ShardRegion.getCurrentRegionsInstance();
  }

  /** The time that a coordinator that knows of a region takes from its start until it works. */
  private long restartMs() {
    ActorRef before = coordinator();
    probe.watch(before);
    before.tell(PoisonPill.getInstance(), probe.getRef());
    probe.fishForMessage(WITHIN, "its end", message -> message instanceof akka.actor.Terminated);
    long endedNs = System.nanoTime();
    ActorRef next = coordinator();
    while (true) {
      next.tell(regions(), probe.getRef());
      try {
        probe.fishForSpecificMessage(
            Duration.ofMillis(20),
            "an answer",
            message ->
                message instanceof ShardRegion.CurrentRegions && probe.getLastSender().equals(next)
                    ? message
                    : null);
        return Duration.ofNanos(System.nanoTime() - endedNs).toMillis();
      } catch (AssertionError e) {
        assertTrue(System.nanoTime() - endedNs < WITHIN.toNanos(), "it never works");
      }
    }
  }

  private ActorRef coordinator() {
    List<ActorRef> found = new ArrayList<>();
    probe.awaitCond(
        WITHIN,
        Duration.ofMillis(5),
        () -> {
          TestKit asking = new TestKit(system);
          system.actorSelection(CoordinatorStart.PATH).tell(new Identify(1), asking.getRef());
          asking.expectMsgClass(ActorIdentity.class).getActorRef().ifPresent(found::add);
          return !found.isEmpty();
        });
    return found.get(0);
  }
}
