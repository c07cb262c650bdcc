package io.holdfast.coordination.hosting;

import akka.actor.ActorContext;
import akka.actor.setup.Setup;
import akka.cluster.Cluster;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.akka.AkkaCoordination;
import io.holdfast.coordination.akka.HostDuties;

/**
 * The duties of a node, besides its downing: it keeps the leader of the log away from the
 * coordinator of the shards, and helps the coordinator over what it would wait for. Used by one
 * actor.
 */
public final class ShardHostDuties implements HostDuties {

  private final LeaderPlace leaderPlace;
  private final StoppedShards stoppedShards;

  private ShardHostDuties(ActorContext context, NodeCoordination coordination) {
    leaderPlace = new LeaderPlace(Cluster.get(context.system()), coordination);
    stoppedShards = new StoppedShards(context.system(), coordination);
    context.actorOf(CoordinatorStart.props(), "coordinator-start");
  }

  /** The setup that the actor system of a node must be made with. */
  public static Setup setup(NodeCoordination coordination) {
    return AkkaCoordination.setup(
        coordination, context -> new ShardHostDuties(context, coordination));
  }

  @Override
  public void sessionEnded(long nowMs) {
    stoppedShards.sessionEnded(nowMs);
  }

  @Override
  public void look(long nowMs) {
    leaderPlace.look(nowMs);
    stoppedShards.look(nowMs);
  }
}
