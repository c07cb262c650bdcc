package io.holdfast.coordination.state;

import static io.holdfast.coordination.state.CoordinationVerdict.refused;

import io.holdfast.coordination.state.EndedSession.Cause;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rules by which sessions begin, live on, and end. */
final class SessionRules {

  private final MemberTable members;
  private final SessionTable sessions;
  private final ShardTable shards;
  private final Numbers numbers;
  private final GoneReports gone;

  SessionRules(
      MemberTable members,
      SessionTable sessions,
      ShardTable shards,
      Numbers numbers,
      GoneReports gone) {
    this.members = members;
    this.sessions = sessions;
    this.shards = shards;
    this.numbers = numbers;
    this.gone = gone;
  }

  CoordinationVerdict open(CoordinationCommand.OpenSession open) {
    if (!CoordinationBounds.allows(open)) {
      return refused(CoordinationRefusal.OUT_OF_BOUND, open.member());
    } else if (!open.terms().equals(shards.terms())) {
      return refused(CoordinationRefusal.OTHER_TERMS, open.terms());
    }
    NodeId member = open.member();
    Session before = sessions.of(member);
    if (before != null && before.incarnation() == open.incarnation()) {
      return before.isOpenedBy(open)
          ? new CoordinationVerdict.Opened(before, /* repeated= */ true, List.of())
          : refused(CoordinationRefusal.INCARNATION_REUSED, member);
    } else if (open.incarnation() <= members.incarnation(member)) {
      return refused(CoordinationRefusal.DEAD_INCARNATION, member);
    } else if (open.isService() && isNode(member, before)) {
      return refused(CoordinationRefusal.MEMBER_IS_A_NODE, member);
    } else if (before == null && sessions.size() >= CoordinationBounds.MAX_SESSIONS) {
      return refused(CoordinationRefusal.SESSIONS_FULL, CoordinationBounds.MAX_SESSIONS);
    } else if (before == null
        && open.isService()
        && sessions.services() >= CoordinationBounds.MAX_SERVICES) {
      return refused(CoordinationRefusal.SESSIONS_FULL, CoordinationBounds.MAX_SERVICES);
    } else if (!members.remembers(member)) {
      return refused(CoordinationRefusal.MEMBERS_FULL, CoordinationBounds.MAX_MEMBERS);
    } else if (numbers.areUsedUp()) {
      return refused(CoordinationRefusal.NUMBERS_USED_UP, numbers.generation());
    }
    List<EndedSession> ended =
        before == null ? List.of() : List.of(end(before.id(), Cause.REPLACED));
    Session session = Session.opened(new SessionId(numbers.next()), open);
    sessions.put(session);
    if (open.isService()) {
      members.serviceBegan(member, open.incarnation(), other -> sessions.of(other) != null);
    } else {
      members.began(member, open.incarnation());
      members.hasRoomFor(member, open.stateCapacity());
    }
    return new CoordinationVerdict.Opened(session, /* repeated= */ false, ended);
  }

  private boolean isNode(NodeId member, @Nullable Session living) {
    return members.isConfigured(member)
        || (living == null ? members.wasNode(member) : !living.isService());
  }

  CoordinationVerdict renew(CoordinationCommand.RenewSession renew) {
    Session session = sessions.find(renew.session());
    if (session == null) {
      return refused(CoordinationRefusal.NO_SUCH_SESSION, renew.session());
    } else if (renew.renewal() < session.renewal()) {
      return refused(CoordinationRefusal.OLD_RENEWAL, renew.renewal());
    }
    Session renewed = session.renewed(renew.renewal());
    sessions.put(renewed);
    gone.takeBack(session.id());
    return new CoordinationVerdict.Renewed(renewed);
  }

  CoordinationVerdict close(SessionId id) {
    return sessions.find(id) == null
        ? refused(CoordinationRefusal.NO_SUCH_SESSION, id)
        : new CoordinationVerdict.Ended(List.of(end(id, Cause.CLOSED)));
  }

  CoordinationVerdict expire(SessionId id, long ifRenewal, Cause cause) {
    Session session = sessions.find(id);
    if (session == null) {
      return refused(CoordinationRefusal.NO_SUCH_SESSION, id);
    } else if (session.renewal() != ifRenewal) {
      return refused(CoordinationRefusal.RENEWED_MEANWHILE, session.renewal());
    }
    return new CoordinationVerdict.Ended(List.of(end(id, cause)));
  }

  CoordinationVerdict reportGone(CoordinationCommand.ReportGone report) {
    Session session = sessions.find(report.gone());
    if (sessions.find(report.session()) == null || session == null) {
      return refused(CoordinationRefusal.NO_SUCH_SESSION, report);
    } else if (report.session().equals(report.gone())) {
      return refused(CoordinationRefusal.OUT_OF_BOUND, report.gone());
    } else if (session.renewal() != report.ifRenewal()) {
      return refused(CoordinationRefusal.RENEWED_MEANWHILE, session.renewal());
    }
    gone.add(report.gone(), report.session());
    return new CoordinationVerdict.Noted();
  }

  /** The sessions whose port refuses every voter that lives, if those are a majority. */
  List<CoordinationCommand.ExpireEarly> seeminglyGone() {
    List<CoordinationCommand.ExpireEarly> all = new ArrayList<>();
    Set<NodeId> voters = members.voters();
    for (SessionId id : gone.all()) {
      Session session = sessions.find(id);
      Set<SessionId> by = gone.by(id);
      List<Session> asked =
          sessions.all().stream()
              .filter(other -> voters.contains(other.member()) && !other.id().equals(id))
              .toList();
      boolean isAgreed = asked.stream().allMatch(other -> by.contains(other.id()));
      if (session != null && isAgreed && 2 * asked.size() > voters.size()) {
        all.add(new CoordinationCommand.ExpireEarly(id, session.renewal()));
      }
    }
    return all;
  }

  CoordinationVerdict report(CoordinationCommand.ReportReachability report) {
    Session session = sessions.find(report.session());
    if (session == null) {
      return refused(CoordinationRefusal.NO_SUCH_SESSION, report.session());
    } else if (report.unreachable().size() > CoordinationBounds.MAX_SESSIONS) {
      return refused(CoordinationRefusal.OUT_OF_BOUND, report.unreachable().size());
    }
    Set<SessionId> others = sessions.living(report.unreachable());
    others.remove(report.session());
    sessions.put(session.seeing(others));
    return new CoordinationVerdict.Noted();
  }

  CoordinationVerdict announce(CoordinationCommand.AnnounceEndpoint announce) {
    Session session = sessions.find(announce.session());
    if (session == null) {
      return refused(CoordinationRefusal.NO_SUCH_SESSION, announce.session());
    } else if (!CoordinationBounds.isAddress(announce.endpoint())) {
      return refused(CoordinationRefusal.OUT_OF_BOUND, announce.session());
    }
    sessions.put(session.reachedAt(announce.endpoint()));
    return new CoordinationVerdict.Noted();
  }

  CoordinationVerdict expel(Set<SessionId> which) {
    if (which.isEmpty() || !which.equals(Expulsion.smallest(sessions.all(), members.voters()))) {
      return refused(CoordinationRefusal.EXPULSION_OUTDATED, which.size());
    }
    return new CoordinationVerdict.Ended(end(new TreeSet<>(which), Cause.EXPELLED));
  }

  List<EndedSession> end(Iterable<SessionId> which, Cause cause) {
    List<EndedSession> ended = new ArrayList<>();
    which.forEach(id -> ended.add(end(id, cause)));
    return ended;
  }

  private EndedSession end(SessionId id, Cause cause) {
    Session session = sessions.find(id);
    if (session == null) {
      throw new IllegalStateException("a session ends that does not live [" + id + "]");
    }
    sessions.remove(id);
    gone.ended(id);
    List<ShardId> owned = shards.ownedBy(id);
    for (ShardId shard : owned) {
      shards.vacate(shard, new Epoch(numbers.next()));
      if (cause.isInDoubt()) {
        int ttlMs = Math.max(session.ttlMs(), shards.mark(shard).ttlMs());
        shards.mark(shard, new UncertainMark(numbers.next(), ttlMs));
      }
    }
    return new EndedSession(session, cause, owned);
  }
}
