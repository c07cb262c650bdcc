package io.holdfast.coordination.hosting;

import akka.actor.ActorRef;
import akka.actor.ActorSelection;
import akka.actor.ActorSystem;
import akka.cluster.sharding.ShardCoordinator$Internal$ShardStopped;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.member.Owners;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.id.ShardId;

/**
 * Tells the coordinator of the shards, for a while after a session has ended, that a shard without
 * an owner in the log has stopped. Used by one actor.
 *
 * <p>Akka moves a shard by asking its node to stop it, and gives nobody the shard meanwhile. If
 * that node ends before it has heard that the shard is to move, or before it could say that it has
 * stopped it, Akka waits for its answer for a minute. The log knows that the node has no part in
 * the shard any more, so this gives the answer. A coordinator that waits for nothing does nothing.
 */
final class StoppedShards {

  /** As long as Akka waits for the answer. */
  static final long TELL_FOR_MS = 60_000;

  private final ActorSelection moves;
  private final NodeCoordination coordination;
  private long untilMs = Long.MIN_VALUE;

  StoppedShards(ActorSystem system, NodeCoordination coordination) {
    moves = system.actorSelection(CoordinatorStart.PATH + "/*");
    this.coordination = coordination;
  }

  /** A session has ended. */
  void sessionEnded(long nowMs) {
    untilMs = nowMs + TELL_FOR_MS;
  }

  void look(long nowMs) {
    if (nowMs >= untilMs) {
      return;
    }
    Owners owners = coordination.owners();
    for (ShardId shard : ShardId.range(coordination.read(CoordinationState::shards))) {
      if (owners.of(shard).isEmpty()) {
        moves.tell(
            new ShardCoordinator$Internal$ShardStopped(Integer.toString(shard.value())),
            ActorRef.noSender());
      }
    }
  }
}
