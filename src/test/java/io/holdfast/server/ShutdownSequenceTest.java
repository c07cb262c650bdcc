package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the order in which a node shuts down, and that each step is bounded. */
@Tag("slow")
class ShutdownSequenceTest {

  /** The time within which a node's process ends: the sum of its steps' bounds, and some more. */
  private static final int WITHIN_S = 40;

  /** Notes which step was taken, and takes as long for it as it is told. */
  private static final class Noted implements ShutdownSequence.Steps {
    final List<String> taken = new CopyOnWriteArrayList<>();
    private final CompletionStage<Done> each;

    Noted(CompletionStage<Done> each) {
      this.each = each;
    }

    CompletionStage<Done> take(String step) {
      taken.add(step);
      return each;
    }

    @Override
    public CompletionStage<Done> stopServing() {
      return take("another leads");
    }

    @Override
    public CompletionStage<Done> unbind() {
      return take("no more connections");
    }

    @Override
    public CompletionStage<Done> drain() {
      return take("calls end");
    }

    @Override
    public CompletionStage<Done> closeSession() {
      return take("session closed");
    }

    @Override
    public CompletionStage<Done> stopLog() {
      taken.add("log stopped");
      return CompletableFuture.completedFuture(Done.getInstance());
    }
  }

  private static final List<String> ORDER =
      List.of(
          "another leads",
          "no more connections",
          "calls end",
          "shards handed over",
          "left",
          "session closed",
          "log stopped");

  @Test
  void the_session_closes_after_the_shards_and_the_log_stops_last() throws Exception {
    Noted steps = new Noted(CompletableFuture.completedFuture(Done.getInstance()));
    assertEquals(ORDER, taken(steps));
  }

  @Test
  void every_step_is_bounded_without_a_majority() throws Exception {
    Noted steps = new Noted(new CompletableFuture<>());
    assertEquals(ORDER, taken(steps));
  }

  /** Stops a system with the node's own settings, and says which steps were taken. */
  private static List<String> taken(Noted steps) throws Exception {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "leaving",
            ConfigFactory.parseString("akka.actor.provider = local, akka.loglevel = OFF")
                .withFallback(ConfigFactory.load()));
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(
        CoordinatedShutdown.PhaseClusterShardingShutdownRegion(),
        "sharding",
        () -> steps.take("shards handed over"));
    shutdown.addTask(CoordinatedShutdown.PhaseClusterLeave(), "leave", () -> steps.take("left"));
    CompletableFuture<Done> over = ShutdownSequence.prepare(system, steps).toCompletableFuture();
    var unused = shutdown.runAll(CoordinatedShutdown.unknownReason());
    over.get(WITHIN_S, TimeUnit.SECONDS);
    return steps.taken;
  }

  @Test
  void a_node_is_over_though_its_actor_system_does_not_terminate() throws Exception {
    CountDownLatch letGo = new CountDownLatch(1);
    ActorSystem<Void> system =
        ActorSystem.create(
            stuckInItsEnd(letGo),
            "stuck",
            ConfigFactory.parseString(
                    "akka.actor.provider = local, akka.coordinated-shutdown.exit-jvm = off")
                .withFallback(ConfigFactory.load()));
    try {
      CompletableFuture<Done> over = ShutdownSequence.whenOver(system).toCompletableFuture();
      var unused = CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.unknownReason());
      over.get(30, TimeUnit.SECONDS);
      assertFalse(system.getWhenTerminated().toCompletableFuture().isDone());
    } finally {
      letGo.countDown();
    }
  }

  private static Behavior<Void> stuckInItsEnd(CountDownLatch letGo) {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Void.class)
                .onSignal(
                    PostStop.class,
                    signal -> {
                      letGo.await();
                      return Behaviors.same();
                    })
                .build());
  }
}
