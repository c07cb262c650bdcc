package io.holdfast.grpc.call;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.ClientId;
import io.holdfast.sharding.LeaseGateway;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.wire.LeaseAnswer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The quota of leases that clients begin at this node, including sessions. One address, and one
 * client name, may have a share of the cluster's maximum; the share is divided among the nodes.
 * Safe for use by many threads.
 */
public final class LeaseQuota implements LeaseEndFeed.Listener {

  /** A view of the leases that the node has applied. */
  interface AppliedLeases {

    /** Returns the incarnation of a lease that is alive. */
    Optional<LeaseLife> alive(LeaseId lease);

    /** True if the lease has certainly ended. */
    boolean hasEnded(LeaseLife lease);
  }

  /**
   * A lease that counts.
   *
   * @param incarnation none until its grant is answered
   */
  private record CountedLease(ClientConnection caller, ClientId client, Revision incarnation) {}

  private final Quota leases;
  private final AppliedLeases applied;
  private final Executor executor;
  private final Executor later;
  private final Map<LeaseId, CountedLease> begun = new ConcurrentHashMap<>();
  private final Map<ClientId, Integer> clients = new ConcurrentHashMap<>();

  /**
   * Starts without leases.
   *
   * @param leases the quota of each address
   * @param executor runs checks of many leases, which would block the log's thread
   * @param later runs a task when no earlier grant can be in progress any more
   */
  public LeaseQuota(Quota leases, AppliedLeases applied, Executor executor, Executor later) {
    this.leases = leases;
    this.applied = applied;
    this.executor = executor;
    this.later = later;
  }

  /**
   * Grants a lease, if its client and its address have room for it.
   *
   * @throws StatusRuntimeException if there is no room; nothing is changed
   */
  public CompletionStage<LeaseAnswer> grant(
      ClientConnection caller, LeaseId lease, LeaseCommand.Grant grant, LeaseGateway way) {
    CountedLease mine = new CountedLease(caller, grant.terms().client(), Revision.NONE);
    if (begun.containsKey(lease)) { // a repetition, or a duplicate id that will be refused
      return way.handle(lease, grant)
          .whenComplete((answer, failure) -> granted(lease, mine, answer));
    }
    take(mine);
    if (begun.putIfAbsent(lease, mine) != null) {
      give(mine);
    }
    return way.handle(lease, grant)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) { // the lease may be alive
                later.execute(() -> checkJournal(lease, mine));
              } else {
                granted(lease, mine, answer);
              }
            });
  }

  private void granted(LeaseId lease, CountedLease mine, LeaseAnswer answer) {
    if (answer != null && answer.outcome() instanceof LeaseOutcome.Granted granted) {
      countGranted(lease, mine, granted.incarnation());
    } else if (answer != null && begun.remove(lease, mine)) {
      give(mine);
    }
  }

  /**
   * Counts a granted lease, unless the node knows that it has ended. An earlier incarnation counts
   * no longer.
   */
  private void countGranted(LeaseId lease, CountedLease mine, Revision incarnation) {
    begun.compute(
        lease,
        (id, before) -> {
          boolean hasEnded = applied.hasEnded(LeaseLife.of(lease, incarnation));
          if (before == null && !hasEnded) {
            leases.count(mine.caller(), 1);
            count(mine.client(), 1);
          } else if (before != null
              && hasEnded
              && before.incarnation().compareTo(incarnation) <= 0) {
            give(before);
          }
          CountedLease now = before == null ? mine : before;
          return hasEnded
              ? (before == null || before.incarnation().compareTo(incarnation) <= 0 ? null : before)
              : new CountedLease(
                  now.caller(), now.client(), latest(now.incarnation(), incarnation));
        });
  }

  private static Revision latest(Revision one, Revision other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /* The outcome of the grant was unknown. By now the journal shows it. */
  private void checkJournal(LeaseId lease, CountedLease mine) {
    Optional<LeaseLife> alive = applied.alive(lease);
    if (alive.isPresent()) {
      countGranted(lease, mine, alive.get().incarnation());
    } else if (begun.remove(lease, mine)) {
      give(mine);
    }
  }

  private void take(CountedLease mine) {
    Quota.Full full = leases.take(mine.caller(), 1);
    if (full != null) {
      throw tooMany(full);
    }
    int most = (int) Math.min(Integer.MAX_VALUE, leases.ofAddress());
    if (count(mine.client(), 1) > most) {
      give(mine);
      throw tooMany(new Quota.Full("client", most));
    }
  }

  private void give(CountedLease mine) {
    leases.give(mine.caller(), 1);
    count(mine.client(), -1);
  }

  /**
   * Changes and returns the count of a client's leases. Clients without a name are not counted
   * together.
   */
  private int count(ClientId client, int more) {
    if (client.equals(ClientId.NAMELESS)) {
      return 0;
    }
    Integer now =
        clients.merge(
            client, more, (had, add) -> had + add == 0 ? null : Integer.valueOf(had + add));
    return now == null ? 0 : now;
  }

  private static StatusRuntimeException tooMany(Quota.Full full) {
    return StatusMapping.error(
        Refusal.newBuilder()
            .setReason(Reason.REASON_TOO_MANY_LEASES)
            .setMessage(
                "[%d] leases of the %s were begun at this node, the maximum by holdfast.locks.max-leases"
                    .formatted(full.most(), full.of()))
            .setMaximum(full.most()));
  }

  @Override
  public void ended(LeaseEnd end) {
    ended(end.lease().id(), end.lease().incarnation());
  }

  private void ended(LeaseId lease, Revision incarnation) {
    begun.computeIfPresent(
        lease,
        (id, known) -> {
          if (!known.incarnation().equals(incarnation)) {
            return known; // a later incarnation, or one whose grant has no answer yet
          }
          give(known);
          return null;
        });
  }

  /** Notes the answer to a revocation: the node may not have applied it yet. */
  void answered(LeaseId lease, LeaseAnswer answer) {
    if (answer.outcome() instanceof LeaseOutcome.Ended ended && !ended.repeated()) {
      CountedLease known = begun.get(lease);
      if (known != null
          && !known.incarnation().equals(Revision.NONE)
          && known.incarnation().compareTo(answer.revision()) < 0) {
        ended(lease, known.incarnation());
      }
    }
  }

  @Override
  public void restored() {
    executor.execute(
        () ->
            begun.forEach(
                (lease, known) -> {
                  if (!known.incarnation().equals(Revision.NONE)
                      && applied.hasEnded(LeaseLife.of(lease, known.incarnation()))) {
                    ended(lease, known.incarnation());
                  }
                }));
  }

  /** Returns the number of leases that count. */
  int size() {
    return begun.size();
  }
}
