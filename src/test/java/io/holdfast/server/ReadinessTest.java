package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.javadsl.Adapter;
import com.typesafe.config.ConfigFactory;
import io.holdfast.grpc.call.ServingState;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when a node says that it is ready. */
class ReadinessTest {

  private final ActorTestKit kit =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor.provider = local")
              .withFallback(ConfigFactory.load()));
  private final ServingState serving = ServingState.get(kit.system());
  private final AtomicBoolean mayAct = new AtomicBoolean(true);

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  @Test
  void a_node_is_ready_only_while_its_session_is_surely_valid() {
    assertFalse(ready());
    serving.begin(mayAct::get);
    assertTrue(ready());
    mayAct.set(false);
    assertFalse(ready());
    mayAct.set(true);
    assertTrue(ready());
  }

  @Test
  void a_node_that_leaves_is_not_ready_any_more() {
    serving.begin(mayAct::get);
    serving.leave();
    assertFalse(ready());
  }

  @Test
  void a_node_is_not_ready_while_shards_with_locks_want_an_owner() {
    AtomicInteger ownerless = new AtomicInteger(39);
    serving.begin(mayAct::get);
    serving.watchShards(ownerless::get);
    assertFalse(ready());
    assertTrue(serving.isOn(), "the other shards are served");
    ownerless.set(0);
    assertTrue(ready());
  }

  private boolean ready() {
    return new Readiness(Adapter.toClassic(kit.system())).get().toCompletableFuture().join();
  }
}
