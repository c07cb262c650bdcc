package io.holdfast.coordination.state;

import static io.holdfast.coordination.state.CoordinationVerdict.refused;

import io.holdfast.coordination.state.EndedSession.Cause;
import java.util.List;

/** The rules by which the cluster is founded, formed, configured, and begun anew from a copy. */
final class ClusterRules {

  private final ClusterFacts cluster;
  private final MemberTable members;
  private final SessionTable sessions;
  private final ShardTable shards;
  private final Numbers numbers;
  private final SessionRules sessionRules;

  ClusterRules(
      ClusterFacts cluster,
      MemberTable members,
      SessionTable sessions,
      ShardTable shards,
      Numbers numbers,
      SessionRules sessionRules) {
    this.cluster = cluster;
    this.members = members;
    this.sessions = sessions;
    this.shards = shards;
    this.numbers = numbers;
    this.sessionRules = sessionRules;
  }

  CoordinationVerdict found(CoordinationCommand.Found found) {
    if (cluster.isFounded()) {
      return refused(CoordinationRefusal.ALREADY_FOUNDED, cluster.id());
    } else if (found.clusterId() <= 0
        || found.shards() < 1
        || found.shards() > CoordinationBounds.MAX_SHARDS
        || !CoordinationBounds.allows(found.members())) {
      return refused(CoordinationRefusal.OUT_OF_BOUND, found.clusterId());
    }
    cluster.found(found.clusterId());
    shards.found(found.shards());
    members.configure(found.members());
    return new CoordinationVerdict.Noted();
  }

  CoordinationVerdict configure(List<ConfiguredMember> all) {
    if (!CoordinationBounds.allows(all)) {
      return refused(CoordinationRefusal.OUT_OF_BOUND, all.size());
    }
    members.configure(all);
    return new CoordinationVerdict.Noted();
  }

  CoordinationVerdict forget(NodeId member) {
    if (!members.knows(member)) {
      return refused(CoordinationRefusal.NO_SUCH_MEMBER, member);
    } else if (sessions.of(member) != null) {
      return refused(CoordinationRefusal.MEMBER_LIVES, member);
    }
    members.forget(member);
    return new CoordinationVerdict.Noted();
  }

  CoordinationVerdict form(CoordinationCommand.FormCluster form) {
    SessionId id = form.session();
    Session session = sessions.find(id);
    if (session == null) {
      return refused(CoordinationRefusal.NO_SUCH_SESSION, id);
    } else if (session.isService()) {
      return refused(CoordinationRefusal.NOT_A_SHARD_HOST, id);
    } else if (sessions.all().stream().anyMatch(Session::isJoined)) {
      return refused(CoordinationRefusal.ALREADY_FORMED, cluster.formation());
    } else if (form.joinings() != cluster.joinings()) {
      return refused(CoordinationRefusal.JOINED_MEANWHILE, cluster.joinings());
    } else if (numbers.areUsedUp()) {
      return refused(CoordinationRefusal.NUMBERS_USED_UP, numbers.generation());
    }
    cluster.form(new FormationId(numbers.next()));
    return join(session);
  }

  CoordinationVerdict markJoined(CoordinationCommand.MarkJoined joined) {
    Session session = sessions.find(joined.session());
    if (session == null) {
      return refused(CoordinationRefusal.NO_SUCH_SESSION, joined.session());
    } else if (joined.formation().equals(FormationId.NONE)
        || !joined.formation().equals(cluster.formation())) {
      return refused(CoordinationRefusal.OTHER_FORMATION, joined.formation());
    }
    return join(session);
  }

  CoordinationVerdict raiseGeneration(int generation) {
    if (generation > Numbers.MAX_GENERATION) {
      return refused(CoordinationRefusal.OUT_OF_BOUND, generation);
    } else if (generation <= numbers.generation()) {
      return refused(CoordinationRefusal.OLD_GENERATION, generation);
    }
    numbers.raise(generation);
    List<SessionId> all = sessions.all().stream().map(Session::id).toList();
    List<EndedSession> ended = sessionRules.end(all, Cause.RESTORED);
    cluster.form(FormationId.NONE);
    shards.raiseAll(numbers);
    return new CoordinationVerdict.Ended(ended);
  }

  private CoordinationVerdict join(Session session) {
    sessions.put(session.joined(cluster.formation()));
    cluster.joined();
    return new CoordinationVerdict.Joined(session.id(), cluster.formation());
  }
}
