package io.holdfast.coordination.akka;

import akka.Done;
import akka.actor.ActorContext;
import akka.actor.ActorSystem;
import akka.actor.setup.Setup;
import io.holdfast.coordination.following.DistantLog;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardTerms;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Joins the coordination of a node, or of a service, and its actor system. */
public final class AkkaCoordination {

  /** The Akka role of the members that run shards. */
  public static final String HOST_ROLE = "holdfast";

  private AkkaCoordination() {}

  /** The setup that the actor system of a service must be made with. */
  public static Setup setup(MemberCoordination coordination) {
    return setup(coordination, context -> HostDuties.NONE);
  }

  /**
   * The setup that the actor system of a member must be made with.
   *
   * @param duties makes what the member does besides, for the actor that has this context
   */
  public static Setup setup(
      MemberCoordination coordination, Function<ActorContext, HostDuties> duties) {
    return new CoordinationAccess.Given(coordination, duties);
  }

  /** The coordination that the actor system was made with. */
  public static MemberCoordination of(ActorSystem system) {
    return CoordinationAccess.of(system).coordination();
  }

  /**
   * Lets a service follow the log by way of one of the nodes, and opens its session, with as many
   * shards as the cluster has. The stage completes as {@link
   * io.holdfast.coordination.member.OwnSession#open} does.
   *
   * @param replica the one that the coordination was made with
   * @param self a random number that no process had before
   * @param contacts Akka addresses of nodes, one at least
   */
  public static CompletionStage<SessionId> openService(
      ActorSystem system,
      MemberCoordination coordination,
      CoordinationReplica replica,
      NodeId self,
      List<String> contacts,
      SessionTimes times) {
    coordination.begin(DistantLog.open(system, replica, contacts, times));
    return coordination
        .session()
        .open(
            founded ->
                ClusterEntry.opening(
                    system,
                    self,
                    /* incarnation= */ 1,
                    Set.of(),
                    times.ttlMs(),
                    ShardTerms.of(founded.shards()),
                    /* stateCapacity= */ 0));
  }

  /** As {@link ClusterEntry#begin}, for a service: it waits until there is somebody to join. */
  public static CompletionStage<Done> joinService(
      ActorSystem system, MemberCoordination coordination, SessionId own) {
    return ClusterEntry.beginOfService(system, coordination, own);
  }
}
