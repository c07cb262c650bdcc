package io.holdfast.server;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.http.javadsl.ServerBinding;
import io.holdfast.coordination.state.Session;
import io.holdfast.grpc.call.ServingState;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Carries out each step of a node's shutdown. */
final class ShutdownSteps implements ShutdownSequence.Steps {

  private static final Duration DRAIN_WITHIN = Duration.ofSeconds(1);

  private final ActorSystem<Void> system;
  private final List<ServerBinding> bindings;
  private final Agreement agreement;

  ShutdownSteps(ActorSystem<Void> system, List<ServerBinding> bindings, Agreement agreement) {
    this.system = system;
    this.bindings = List.copyOf(bindings);
    this.agreement = agreement;
  }

  @Override
  public CompletionStage<Done> stopServing() {
    ServingState.get(system).leave();
    agreement.watches().leave();
    return transferLeadership();
  }

  @Override
  public CompletionStage<Done> unbind() {
    return ofAll(ServerBinding::unbind);
  }

  @Override
  public CompletionStage<Done> drain() {
    return ofAll(binding -> binding.terminate(DRAIN_WITHIN));
  }

  @Override
  public CompletionStage<Done> closeSession() {
    return agreement.coordination().session().close().thenApply(done -> Done.getInstance());
  }

  @Override
  public CompletionStage<Done> stopLog() {
    return agreement.stop().thenApply(done -> Done.getInstance());
  }

  private CompletionStage<Done> ofAll(Function<ServerBinding, CompletionStage<?>> step) {
    return CompletableFuture.allOf(
            bindings.stream()
                .map(binding -> step.apply(binding).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> Done.getInstance());
  }

  /** Transfers leadership to a voter with a living session, if this node leads and there is one. */
  private CompletionStage<Done> transferLeadership() {
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
            .filter(member -> member.kind() == Member.Kind.VOTER)
            .filter(member -> !member.id().equals(log.self()))
            .filter(member -> living.contains(member.id().value()))
            .findFirst();
    return log.leadership().leads() && successor.isPresent()
        ? log.transferLeadership(successor.get().id())
            .handle((refusal, failure) -> Done.getInstance())
        : CompletableFuture.completedFuture(Done.getInstance());
  }
}
