package io.holdfast.simulation.cluster;

import io.holdfast.coordination.member.CoordinationReplica.Applied;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.EndedSession;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.JournalInvariant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The services that are members of the cluster, and what must hold of their sessions: as of those
 * of nodes, none is valid for too long, and none expires that is; and whose session has ended is
 * gone soon.
 */
final class ServiceMembers implements JournalInvariant {

  private static final double SLOWEST = 0.99;
  private static final long READING_US = 2_000;

  /** It hears of its end by the next node that it follows by; and stands still for a while. */
  private static final long GONE_WITHIN_US = 4_000_000;

  private final ClusterLocks locks;
  private final List<ServiceMember> members = new ArrayList<>();
  private long calmUs;
  private long begun;

  ServiceMembers(ClusterLocks locks) {
    this.locks = locks;
  }

  /** A new process of a service, which is somebody new. */
  ServiceMember begin(String name, SplittableRandom chance) {
    ServiceMember member = new ServiceMember(locks, name, ++begun, chance);
    members.add(member);
    return member;
  }

  /** A node has applied this: it has nothing to do any more with whose session has ended. */
  void heard(ClusterTenant by, List<Applied> batch) {
    for (Applied each : batch) {
      for (EndedSession ended : each.verdict().ended()) {
        if (ended.session().isService()) {
          members.stream()
              .filter(member -> member.session().isOf(ended.session()))
              .forEach(member -> member.quarantinedBy(by));
        }
      }
    }
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    long now = locks.world().nowUs();
    if (locks.world().isCalm() && calmUs == 0) {
      calmUs = now;
    }
    members.removeIf(member -> !member.isRunning());
    for (ServiceMember member : members) {
      ServiceSession session = member.session();
      verdict.alive().filter(session::isOf).ifPresent(session::renewed);
      for (EndedSession ended : verdict.ended()) {
        if (session.isOf(ended.session())) {
          session.ended();
          locks.count("service member " + ended.cause());
          if (ended.cause() == EndedSession.Cause.EXPIRED && session.isValid()) {
            throw new Violation("NodeStopsFirst", member + " is valid, and has expired");
          }
        }
      }
      require(member, session, now);
    }
  }

  private void require(ServiceMember member, ServiceSession session, long now) {
    double endsUs =
        session.renewalSentUs() + session.times().validForMs() * 1_000 / SLOWEST + READING_US;
    if (session.isValid() && now > endsUs) {
      throw new Violation("I10 MinorityRefuses", member + " is valid after " + endsUs);
    }
    long endedUs = session.endedUs();
    if (endedUs > 0
        && calmUs > 0
        && now > Math.max(endedUs, calmUs) + GONE_WITHIN_US
        && !session.isLeftAlone()) {
      throw new Violation("I12 Live", member + " goes on, and its session has ended");
    }
  }
}
