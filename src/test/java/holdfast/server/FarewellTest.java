package holdfast.server;

import static org.junit.jupiter.api.Assertions.assertFalse;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A node's process ends, whatever of Akka does not. */
class FarewellTest {

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
      CompletableFuture<Done> over = Farewell.whenOver(system).toCompletableFuture();
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
