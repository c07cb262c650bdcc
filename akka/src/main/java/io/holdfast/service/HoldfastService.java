package io.holdfast.service;

import akka.Done;
import akka.actor.BootstrapSetup;
import akka.actor.CoordinatedShutdown;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.typed.Cluster;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.member.InvalidSettings;
import io.holdfast.config.member.ServiceSettings;
import io.holdfast.coordination.akka.AkkaCoordination;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.member.ShardMoves;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.LockKey;
import io.holdfast.sharding.LockShards;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A service's membership in the cluster of the nodes, and its way to the locks.
 *
 * <pre>{@code
 * ActorSystem<Void> system =
 *     ActorSystem.create(Behaviors.empty(), HoldfastService.SYSTEM, HoldfastService.setup());
 * HoldfastService.join(system)
 *     .thenCompose(holdfast -> holdfast.lock("orders/42").tryLock(Duration.ofSeconds(10)))
 * }</pre>
 *
 * <p>The service is a member like any other: it may have roles, actors and shards of its own. If
 * its session ends, because it was cut off or paused for too long, the nodes down it, and it ends
 * its own actor system as soon as it hears of that.
 */
public final class HoldfastService {

  /** The name of the actor system: all members of an Akka cluster have one. */
  public static final String SYSTEM = "holdfast";

  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  private final MemberCoordination coordination;
  private final LockClient locks;
  private final CompletionStage<String> ended;

  private HoldfastService(
      MemberCoordination coordination, LockClient locks, CompletionStage<String> ended) {
    this.coordination = coordination;
    this.locks = locks;
    this.ended = ended;
  }

  /** As {@link #setup(Config)}, with the application's configuration as Akka finds it. */
  public static ActorSystemSetup setup() {
    return setup(ConfigFactory.defaultApplication());
  }

  /**
   * The setup that the service's actor system must be made with.
   *
   * @param application the settings of the service: {@code holdfast.service.contacts}, and whatever
   *     else of Holdfast and Akka
   */
  public static ActorSystemSetup setup(Config application) {
    Config config =
        ConfigFactory.defaultOverrides()
            .withFallback(application)
            .withFallback(ConfigFactory.parseResources("holdfast-member.conf"))
            .withFallback(ConfigFactory.defaultReferenceUnresolved())
            .resolve();
    ServiceParts parts = ServiceParts.of(settings(config));
    return ActorSystemSetup.create(
        BootstrapSetup.create(config), AkkaCoordination.setup(parts.coordination()), parts);
  }

  private static ServiceSettings settings(Config config) {
    try {
      return ServiceSettings.from(config);
    } catch (InvalidSettings e) {
      throw new IllegalArgumentException(String.join("; ", e.faults()), e);
    }
  }

  /**
   * Makes the service a member. The stage completes when it is one, and fails if it cannot be in
   * time, or has lost its session before; then the actor system has to end.
   *
   * @param system made with {@link #setup}, and called {@link #SYSTEM}
   */
  public static CompletionStage<HoldfastService> join(ActorSystem<?> system) {
    ServiceParts parts =
        system
            .settings()
            .setup()
            .get(ServiceParts.class)
            .orElseThrow(
                () -> new IllegalArgumentException("the actor system has no setup of Holdfast's"));
    requireFitting(system);
    parts.endWith(system);
    leaveInOrder(system, parts.coordination());
    CompletableFuture<HoldfastService> joined = new CompletableFuture<>();
    var unused =
        parts
            .open(Adapter.toClassic(system))
            .thenCompose(
                session ->
                    AkkaCoordination.joinService(
                        Adapter.toClassic(system), parts.coordination(), session))
            .thenApply(done -> begin(system, parts))
            .whenComplete(
                (service, failure) -> {
                  if (failure == null) {
                    joined.complete(service);
                  } else {
                    joined.completeExceptionally(failure);
                  }
                });
    var unusedToo =
        parts
            .coordination()
            .session()
            .ended()
            .thenAccept(
                reason ->
                    joined.completeExceptionally(
                        new IllegalStateException("the cluster does not take it: " + reason)));
    return joined.orTimeout(parts.settings().joinWithin().toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void requireFitting(ActorSystem<?> system) {
    if (!system.name().equals(SYSTEM)) {
      throw new IllegalArgumentException(
          "the actor system is called [%s], and has to be called [%s]"
              .formatted(system.name(), SYSTEM));
    } else if (Cluster.get(system).selfMember().hasRole(AkkaCoordination.HOST_ROLE)) {
      throw new IllegalArgumentException(
          "akka.cluster.roles names [%s], which only nodes are"
              .formatted(AkkaCoordination.HOST_ROLE));
    }
  }

  private static HoldfastService begin(ActorSystem<?> system, ServiceParts parts) {
    MemberCoordination coordination = parts.coordination();
    LockShards shards =
        LockShards.reach(
            system,
            coordination.read(CoordinationState::shards),
            parts.settings().answerWithin(),
            coordination.owners());
    var unused = coordination.listen(ShardMoves.to(shards::moved));
    akka.actor.Address self = Cluster.get(system).selfMember().address();
    LockClient locks =
        new LockClient(
            system, shards, new ClientId(self.hostPort()), System::nanoTime, parts.random());
    return new HoldfastService(coordination, locks, ended(system, coordination));
  }

  /* A service that the nodes have cut off never hears of the end of its session. */
  private static CompletionStage<String> ended(
      ActorSystem<?> system, MemberCoordination coordination) {
    CompletableFuture<String> ended = new CompletableFuture<>();
    var unused = coordination.session().ended().thenAccept(ended::complete);
    var unusedToo =
        system
            .getWhenTerminated()
            .thenAccept(done -> ended.complete("its actor system has terminated"));
    return ended;
  }

  /**
   * Closes the session when the service has left the cluster, so that nobody waits for its expiry.
   */
  private static void leaveInOrder(ActorSystem<?> system, MemberCoordination coordination) {
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "holdfast-close-session",
            () ->
                coordination
                    .session()
                    .close()
                    .thenApply(done -> Done.getInstance())
                    .toCompletableFuture()
                    .completeOnTimeout(
                        Done.getInstance(), CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** The lock of a key: 1 to 512 bytes, as in the public protocol. */
  public LockRef lock(String key) {
    return locks.lock(new LockKey(key));
  }

  /** True if the service's session is surely valid, by its own clock. */
  public boolean isMember() {
    return coordination.session().mayAct();
  }

  /**
   * Completes with the reason when the service's session has ended, and its actor system with it.
   */
  public CompletionStage<String> ended() {
    return ended;
  }
}
