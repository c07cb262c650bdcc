package holdfast.server;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.http.javadsl.ServerBinding;
import holdfast.coordination.state.Session;
import holdfast.grpc.Serving;
import holdfast.raft.ConsensusLog;
import holdfast.raft.core.Member;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The order in which a node stops: it takes no more requests, lets another lead the log, ends open
 * calls, hands its shards over, leaves the cluster, and closes its session. Its member of the log
 * stops last, since all of that is written there. Each step is bounded, without a majority too.
 */
final class Farewell {

  private static final Duration DRAIN_WITHIN = Duration.ofSeconds(1);

  /** Akka's links to a node that cannot be reached may keep its system for minutes. */
  private static final Duration TERMINATE_WITHIN = Duration.ofSeconds(3);

  private Farewell() {}

  static void prepare(ActorSystem<Void> system, ServerBinding binding, Agreement agreement) {
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeServiceUnbind(),
        "stop-serving",
        () -> {
          Serving.get(system).leave();
          agreement.watches().leave();
          return handOver(agreement);
        });
    shutdown.addTask(CoordinatedShutdown.PhaseServiceUnbind(), "grpc-unbind", binding::unbind);
    shutdown.addTask(
        CoordinatedShutdown.PhaseServiceRequestsDone(),
        "grpc-drain",
        () -> binding.terminate(DRAIN_WITHIN).thenApply(done -> Done.getInstance()));
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
        "close-session",
        () -> agreement.coordination().close().thenApply(done -> Done.getInstance()));
  }

  /**
   * Completes when nothing of the actor system needs to run any more: when it has terminated, or
   * has had the time for it since all else was done.
   */
  static CompletionStage<Done> whenOver(ActorSystem<Void> system) {
    CompletableFuture<Done> over = new CompletableFuture<>();
    system.getWhenTerminated().whenComplete((done, failure) -> over.complete(Done.getInstance()));
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseActorSystemTerminate(),
            "give-up",
            () -> {
              over.completeOnTimeout(
                  Done.getInstance(), TERMINATE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
              return CompletableFuture.completedFuture(Done.getInstance());
            });
    return over;
  }

  /** Lets a voter lead whose session lives, if this node leads and there is such a voter. */
  private static CompletionStage<Done> handOver(Agreement agreement) {
    ConsensusLog log = agreement.log();
    Set<Long> living =
        agreement
            .coordination()
            .read(
                state ->
                    state.sessions().stream()
                        .filter(Session::isJoined)
                        .map(session -> session.member().value())
                        .collect(Collectors.toSet()));
    Optional<Member> successor =
        log.members().stream()
            .filter(member -> member.standing() == Member.Standing.VOTER)
            .filter(member -> !member.id().equals(log.self()))
            .filter(member -> living.contains(member.id().value()))
            .findFirst();
    return log.leadership().leads() && successor.isPresent()
        ? log.handOver(successor.get().id()).handle((refusal, failure) -> Done.getInstance())
        : CompletableFuture.completedFuture(Done.getInstance());
  }
}
