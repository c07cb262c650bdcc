package io.holdfast.coordination.state;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Set;

/**
 * A command to the {@link CoordinationState}, as it stands in an entry of the log. Any values make
 * a command; one that makes no sense is refused when it is applied.
 */
public sealed interface CoordinationCommand {

  /** Found the cluster: its id, how many shards it has, and its first members. */
  record Found(long clusterId, int shards, List<ConfiguredMember> members)
      implements CoordinationCommand {
    public Found {
      members = List.copyOf(members);
    }
  }

  /** The configuration is exactly this from now on: it follows that of the log. */
  record Configure(List<ConfiguredMember> members) implements CoordinationCommand {
    public Configure {
      members = List.copyOf(members);
    }
  }

  /** Forget a member for ever, with its dead incarnations: none of its processes runs any more. */
  record ForgetMember(NodeId member) implements CoordinationCommand {}

  /**
   * Open the session of a process. Ends that of an earlier process of the member.
   *
   * @param incarnation greater than that of every earlier process of the member
   * @param roles none for a service, which only uses what the others run
   * @param terms by which the process finds the shard of a key
   * @param stateCapacity the bytes of state that it has room for; 0 if it does not say
   */
  record OpenSession(
      NodeId member,
      long incarnation,
      String akkaAddress,
      long akkaUid,
      Set<NodeRole> roles,
      int ttlMs,
      ShardTerms terms,
      long stateCapacity)
      implements CoordinationCommand {
    public OpenSession {
      roles = Set.copyOf(roles);
    }

    /** By a process that does not say what it has room for. */
    public OpenSession(
        NodeId member,
        long incarnation,
        String akkaAddress,
        long akkaUid,
        Set<NodeRole> roles,
        int ttlMs,
        ShardTerms terms) {
      this(member, incarnation, akkaAddress, akkaUid, roles, ttlMs, terms, /* stateCapacity= */ 0);
    }

    /** True if the process has no part in the log and no shards. */
    public boolean isService() {
      return roles.isEmpty();
    }
  }

  /** Show life: each attempt has its own number, which a re-send keeps. */
  record RenewSession(SessionId session, long renewal) implements CoordinationCommand {}

  /** End the own session: the node has stopped acting on it. */
  record CloseSession(SessionId session) implements CoordinationCommand {}

  /** End the session if this is still its last renewal: its ttl has passed since. */
  record ExpireSession(SessionId session, long ifRenewal) implements CoordinationCommand {}

  /** Report that a session's process has ended, since its port refuses. Void after a renewal. */
  record ReportGone(SessionId session, SessionId gone, long ifRenewal)
      implements CoordinationCommand {}

  /** End the session if this is still its last renewal: its process is gone, as it seems. */
  record ExpireEarly(SessionId session, long ifRenewal) implements CoordinationCommand {}

  /**
   * Own the shard under a new epoch.
   *
   * @param request the number of the session's request for this shard; later ones are greater
   * @param terms by which the node finds the shard of a key
   */
  record AcquireShard(SessionId session, ShardId shard, long request, ShardTerms terms)
      implements CoordinationCommand {}

  /** End the ownership of this epoch. */
  record ReleaseShard(SessionId session, ShardId shard, Epoch epoch)
      implements CoordinationCommand {}

  /** Give the owner of this epoch more tokens. */
  record TakeTokenBlock(SessionId session, ShardId shard, Epoch epoch)
      implements CoordinationCommand {}

  /**
   * Form the Akka cluster, as its first node.
   *
   * @param joinings the number of joinings that the node knew of when it saw that nobody was left
   */
  record FormCluster(SessionId session, long joinings) implements CoordinationCommand {}

  /** Note that the node is in the Akka cluster of this formation. */
  record MarkJoined(SessionId session, FormationId formation) implements CoordinationCommand {}

  /** Take this mark off the shard: whoever was in doubt has ended. */
  record MarkCertain(ShardId shard, long mark) implements CoordinationCommand {}

  /** Reports the members that the node cannot reach, in place of its last report. */
  record ReportReachability(SessionId session, Set<SessionId> unreachable)
      implements CoordinationCommand {
    public ReportReachability {
      unreachable = Set.copyOf(unreachable);
    }
  }

  /** End these sessions, if they are still the smallest set that parts the cluster. */
  record Expel(Set<SessionId> sessions) implements CoordinationCommand {
    public Expel {
      sessions = Set.copyOf(sessions);
    }
  }

  /**
   * Say where clients reach the session's node.
   *
   * @param endpoint host:port
   */
  record AnnounceEndpoint(SessionId session, String endpoint) implements CoordinationCommand {}

  /** Begin a new life from a copy: all numbers rise above those of the old one. */
  record RaiseGeneration(int generation) implements CoordinationCommand {}

  /** One result for each kind of command; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R found(Found found);

    R configure(Configure configure);

    R forgetMember(ForgetMember forget);

    R openSession(OpenSession open);

    R renewSession(RenewSession renew);

    R closeSession(CloseSession close);

    R expireSession(ExpireSession expire);

    R reportGone(ReportGone report);

    R expireEarly(ExpireEarly expire);

    R acquireShard(AcquireShard acquire);

    R releaseShard(ReleaseShard release);

    R takeTokenBlock(TakeTokenBlock take);

    R formCluster(FormCluster form);

    R markJoined(MarkJoined joined);

    R markCertain(MarkCertain certain);

    R reportReachability(ReportReachability report);

    R expel(Expel expel);

    R announceEndpoint(AnnounceEndpoint announce);

    R raiseGeneration(RaiseGeneration raise);
  }

  /** Answers with the case of this command's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Found found) {
      return cases.found(found);
    } else if (this instanceof Configure configure) {
      return cases.configure(configure);
    } else if (this instanceof ForgetMember forget) {
      return cases.forgetMember(forget);
    } else if (this instanceof OpenSession open) {
      return cases.openSession(open);
    } else if (this instanceof RenewSession renew) {
      return cases.renewSession(renew);
    } else if (this instanceof CloseSession close) {
      return cases.closeSession(close);
    } else if (this instanceof ExpireSession expire) {
      return cases.expireSession(expire);
    } else if (this instanceof ReportGone report) {
      return cases.reportGone(report);
    } else if (this instanceof ExpireEarly expire) {
      return cases.expireEarly(expire);
    } else if (this instanceof AcquireShard acquire) {
      return cases.acquireShard(acquire);
    } else if (this instanceof ReleaseShard release) {
      return cases.releaseShard(release);
    } else if (this instanceof TakeTokenBlock take) {
      return cases.takeTokenBlock(take);
    } else if (this instanceof FormCluster form) {
      return cases.formCluster(form);
    } else if (this instanceof MarkJoined joined) {
      return cases.markJoined(joined);
    } else if (this instanceof MarkCertain certain) {
      return cases.markCertain(certain);
    } else if (this instanceof ReportReachability report) {
      return cases.reportReachability(report);
    } else if (this instanceof Expel expel) {
      return cases.expel(expel);
    } else if (this instanceof AnnounceEndpoint announce) {
      return cases.announceEndpoint(announce);
    } else if (this instanceof RaiseGeneration raise) {
      return cases.raiseGeneration(raise);
    }
    throw new AssertionError(this);
  }
}
