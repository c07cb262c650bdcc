package io.holdfast.server;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.coordination.akka.ClusterEntry;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.ShardTerms;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a node into its cluster: it opens its session, and then joins the other nodes. */
final class ClusterJoin {

  private static final Logger log = LoggerFactory.getLogger("holdfast");

  private static final Duration TELL_EVERY = Duration.ofSeconds(10);

  private ClusterJoin() {}

  /** Returns when this node is a member of its cluster. Only the starting thread ever waits. */
  static void awaitJoined(
      ActorSystem<Void> system, Agreement agreement, DataDirectory data, HoldfastSettings settings)
      throws StartFailure {
    akka.actor.ActorSystem classic = Adapter.toClassic(system);
    ClusterTerms terms = ClusterTerms.of(settings);
    SessionId session =
        awaitSession(
            agreement,
            terms.shardTerms(),
            agreement
                .coordination()
                .session()
                .open(
                    ClusterEntry.opening(
                        classic,
                        new NodeId(data.member().value()),
                        data.start(),
                        Set.of(NodeRole.VOTER, NodeRole.SHARD_HOST),
                        terms.session().ttlMs(),
                        terms.shardTerms(),
                        settings.state().capacity(Runtime.getRuntime().maxMemory()))));
    StartStep.await(
        "the cluster",
        ClusterEntry.begin(classic, agreement.coordination(), session),
        settings.joinWithin(),
        NodeExitCode.CLUSTER);
  }

  /** A majority may come much later. */
  private static SessionId awaitSession(
      Agreement agreement, ShardTerms terms, CompletionStage<SessionId> opening)
      throws StartFailure {
    CompletableFuture<SessionId> opened = opening.toCompletableFuture();
    CompletableFuture<String> ended =
        agreement.coordination().session().ended().toCompletableFuture();
    CompletableFuture<String> otherTerms = agreement.member().otherTerms().toCompletableFuture();
    while (true) {
      try {
        var unused =
            CompletableFuture.anyOf(opened, ended, otherTerms)
                .copy()
                .orTimeout(TELL_EVERY.toMillis(), TimeUnit.MILLISECONDS)
                .join();
      } catch (CompletionException e) {
        log.info("waits for a majority of the members at {}", agreement.member().others());
        continue;
      }
      if (opened.isDone()) {
        return opened.join();
      } else if (otherTerms.isDone()) {
        throw otherTerms(otherTerms.join());
      } else if (!agreement.coordination().read(CoordinationState::terms).equals(terms)) {
        throw otherTerms(ended.join());
      }
      throw new StartFailure(
          NodeExitCode.CLUSTER, "the cluster does not take this node: " + ended.join());
    }
  }

  private static StartFailure otherTerms(String difference) {
    return new StartFailure(
        NodeExitCode.CONFIGURATION,
        difference + "; holdfast.locks.shards must stay as it was founded");
  }
}
