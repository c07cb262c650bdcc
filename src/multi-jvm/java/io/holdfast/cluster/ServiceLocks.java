package io.holdfast.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.LockGrant;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A service in a JVM of its own, without shards and without a log, uses the locks of three nodes in
 * theirs by typed messages. One of the nodes is killed meanwhile.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ServiceLocks extends SeveralJvms {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int KEYS = 60; // more than there are shards

  private final ThreeNodesAndService roles;
  private @Nullable ActorSystem<Void> system;
  private @Nullable HoldfastService holdfast;

  ServiceLocks() {
    this(new ThreeNodesAndService());
  }

  private ServiceLocks(ThreeNodesAndService roles) {
    super(roles);
    this.roles = roles;
  }

  @AfterAll
  void endService() throws Exception {
    if (system != null) {
      system.terminate();
      get(system.getWhenTerminated());
    }
  }

  @Override
  public int initialParticipants() {
    return 4;
  }

  @Test
  @Order(1)
  void the_service_joins_the_nodes() throws Exception {
    if (runsNode()) {
      startNode();
    } else {
      // At once with the nodes: it waits until there is somebody to join.
      system =
          ActorSystem.create(
              Behaviors.empty(),
              HoldfastService.SYSTEM,
              HoldfastService.setup(
                  ConfigFactory.parseString(
                      """
                      akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
                      akka.cluster.roles = ["orders"]
                      akka.loglevel = WARNING
                      holdfast.service.contacts = "%s"
                      """
                          .formatted(String.join(",", contacts())))));
      holdfast = get(HoldfastService.join(system));
      assertTrue(holdfast.isMember());
    }
    barrier("all are there");
  }

  @Test
  @Order(2)
  void its_lock_excludes_the_clients_of_the_nodes() throws Exception {
    String key = "orders/42";
    LockGrant held = null;
    if (holdfast != null) {
      held = get(holdfast.lock(key).tryLock(TTL)).orElseThrow();
      assertEquals(Optional.empty(), get(holdfast.lock(key).tryLock(TTL)));
    }
    barrier("the service holds");
    if (node != null) {
      try (HoldfastClient client = HoldfastClient.connect(node.grpc().toString())) {
        assertEquals(Optional.<Grant>empty(), client.lock(key).tryAcquire());
      }
    }
    barrier("all clients were refused");
    if (held != null) {
      assertTrue(get(held.renew()));
      assertTrue(get(held.unlock()));
    }
    barrier("the service has unlocked");
    if (isFirst()) {
      try (HoldfastClient client =
              HoldfastClient.connect(Objects.requireNonNull(node).grpc().toString());
          Grant grant = client.lock(key).acquire()) {
        assertTrue(grant.isSurelyHeld());
      }
    }
    barrier("a client had it");
  }

  @Test
  @Order(3)
  void it_speaks_with_a_lock_as_with_any_actor() throws Exception {
    if (holdfast != null) {
      ClientId client = new ClientId("asking");
      LockCommand acquire =
          new LockCommand.Acquire(
              new RequestHeader(new RequestId.Named(client, "first"), 1),
              HolderId.of(client, "handle"),
              new Lifetime.Own(new Ttl(TTL.toMillis())),
              WaitTimeout.NONE,
              /* reenter= */ false,
              Metadata.NONE);
      LockAnswer answer =
          get(
              holdfast
                  .lock("orders/43")
                  .actor()
                  .<LockAnswer>ask(
                      replyTo ->
                          new LockMessage.Handle(
                              acquire, /* number= */ 7, 0, /* tellsPlace= */ false, replyTo),
                      WITHIN));
      assertEquals(7, answer.number());
      assertTrue(answer.outcome() instanceof Outcome.Acquired, answer::toString);
    }
    barrier("an actor has answered");
  }

  @Test
  @Order(4)
  void a_node_is_killed_and_every_lock_of_the_service_lives_on() throws Exception {
    List<LockGrant> held = new ArrayList<>();
    if (holdfast != null) {
      for (int key = 0; key < KEYS; key++) {
        held.add(get(holdfast.lock("all/" + key).tryLock(TTL)).orElseThrow());
      }
    }
    barrier("the service holds all");
    if (isFirst()) {
      var unused = testConductor().exit(roles.third, 0);
    }
    if (holdfast != null) {
      List<CompletionStage<Optional<LockGrant>>> next = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        next.add(holdfast.lock("all/" + key).lock(TTL, PATIENCE));
      }
      for (int key = 0; key < KEYS; key++) {
        LockGrant before = held.get(key);
        assertTrue(before.isSurelyHeld(), before::toString);
        var unused = get(before.unlock()); // false if the killed node did it, and did not answer
        LockGrant after = get(next.get(key)).orElseThrow();
        assertTrue(after.token().value() > before.token().value());
      }
      assertTrue(holdfast.isMember());
    }
    barrier("every lock lives on"); // where the third one is waiting when it is killed
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }
}
