package io.holdfast.coordination.state;

import java.util.Set;
import java.util.TreeSet;

/**
 * A node's own lease in the cluster, as the log has it.
 *
 * @param incarnation the number of the member's process; later processes have greater ones
 * @param akkaUid the uid of the actor system behind the address
 * @param renewal the last number that was applied; 0 is the opening
 * @param formation the cluster that it joined, or {@link FormationId#NONE}
 * @param unreachable the sessions whose nodes it cannot reach by Akka's links
 * @param endpoint the host:port at which clients reach its node; empty before it has said so
 */
public record Session(
    SessionId id,
    NodeId member,
    long incarnation,
    String akkaAddress,
    long akkaUid,
    Set<NodeRole> roles,
    int ttlMs,
    long renewal,
    FormationId formation,
    Set<SessionId> unreachable,
    String endpoint) {

  public Session {
    roles = Set.copyOf(roles);
    unreachable = Set.copyOf(unreachable);
  }

  static Session opened(SessionId id, CoordinationCommand.OpenSession open) {
    return new Session(
        id,
        open.member(),
        open.incarnation(),
        open.akkaAddress(),
        open.akkaUid(),
        open.roles(),
        open.ttlMs(),
        0,
        FormationId.NONE,
        Set.of(),
        /* endpoint= */ "");
  }

  /** True if its process only uses what the others run: it has no part in the log and no shards. */
  public boolean isService() {
    return roles.isEmpty();
  }

  public boolean isJoined() {
    return !formation.equals(FormationId.NONE);
  }

  /** True if the same process may have asked for this session with these words. */
  boolean isOpenedBy(CoordinationCommand.OpenSession open) {
    return open.equals(
        new CoordinationCommand.OpenSession(
            member,
            incarnation,
            akkaAddress,
            akkaUid,
            roles,
            ttlMs,
            open.terms(),
            open.stateCapacity()));
  }

  Session renewed(long number) {
    return with(number, formation, unreachable, endpoint);
  }

  Session joined(FormationId into) {
    return with(renewal, into, unreachable, endpoint);
  }

  Session seeing(Set<SessionId> others) {
    return with(renewal, formation, others, endpoint);
  }

  Session reachedAt(String where) {
    return with(renewal, formation, unreachable, where);
  }

  private Session with(long number, FormationId into, Set<SessionId> others, String where) {
    return new Session(
        id, member, incarnation, akkaAddress, akkaUid, roles, ttlMs, number, into, others, where);
  }

  Session without(SessionId ended) {
    Set<SessionId> rest = new TreeSet<>(unreachable);
    return rest.remove(ended) ? seeing(rest) : this;
  }
}
