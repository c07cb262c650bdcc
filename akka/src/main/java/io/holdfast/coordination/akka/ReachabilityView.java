package io.holdfast.coordination.akka;

import akka.actor.AddressFromURIString;
import akka.cluster.Cluster;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import java.util.HashSet;
import java.util.Set;

/**
 * The members that this node cannot reach by Akka's links though their sessions live. It is
 * committed once it has not changed for a while. Used by one actor.
 */
final class ReachabilityView {

  private final Cluster cluster;
  private final MemberCoordination coordination;
  private final SteadyView view = new SteadyView();

  ReachabilityView(Cluster cluster, MemberCoordination coordination) {
    this.cluster = cluster;
    this.coordination = coordination;
  }

  void look(long nowMs) {
    SessionId own = coordination.session().live();
    if (own == null) {
      return;
    }
    Set<SessionId> now = coordination.read(state -> unreachable(state, own));
    Set<SessionId> said =
        coordination.read(state -> state.session(own).map(Session::unreachable).orElse(Set.of()));
    if (view.isDue(now, said, nowMs)) {
      var unused = coordination.propose(new CoordinationCommand.ReportReachability(own, now));
    }
  }

  private Set<SessionId> unreachable(CoordinationState state, SessionId own) {
    Set<SessionId> unreachable = new HashSet<>();
    for (Session session : state.sessions()) {
      if (session.isJoined() && !session.id().equals(own) && isUnreachable(session)) {
        unreachable.add(session.id());
      }
    }
    return unreachable;
  }

  private boolean isUnreachable(Session session) {
    akka.actor.Address address = AddressFromURIString.parse(session.akkaAddress());
    return cluster.failureDetector().isMonitoring(address)
        && !cluster.failureDetector().isAvailable(address);
  }
}
