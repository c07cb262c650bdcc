package io.holdfast.grpc.call;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.LeaseLife;
import io.holdfast.sharding.LeaseGateway;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.wire.LeaseAnswer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The leases that were begun at this node and live, those of sessions too: one address may have a
 * share of all that the cluster may have, and so may one client by its name. What of a cluster can
 * be taken at each node is shared out between the nodes. Safe for use by many threads.
 */
public final class LeaseShare implements LeaseEndFeed.Listener {

  /** What the node has applied of leases. */
  interface Applied {

    /** The incarnation of a lease that is alive. */
    OptionalLong incarnation(long lease);

    /** Whether it has ended for sure. */
    boolean hasEnded(LeaseLife lease);
  }

  /**
   * One that counts.
   *
   * @param incarnation 0 as long as its grant has no answer
   */
  private record Begun(Caller caller, ClientId client, long incarnation) {}

  private final Quota leases;
  private final Applied applied;
  private final Executor executor;
  private final Executor later;
  private final Map<Long, Begun> begun = new ConcurrentHashMap<>();
  private final Map<ClientId, Integer> clients = new ConcurrentHashMap<>();

  /**
   * None has begun.
   *
   * @param leases how many there may be
   * @param executor looks at many of them; the log's thread has no time for that
   * @param later runs what it is given when no grant of before can be under way any more
   */
  public LeaseShare(Quota leases, Applied applied, Executor executor, Executor later) {
    this.leases = leases;
    this.applied = applied;
    this.executor = executor;
    this.later = later;
  }

  /**
   * Has a lease begin, if its client and its address have room for it.
   *
   * @throws StatusRuntimeException if not; nothing was done
   */
  public CompletionStage<LeaseAnswer> grant(
      Caller caller, long lease, LeaseCommand.Grant grant, LeaseGateway way) {
    Begun mine = new Begun(caller, grant.terms().client(), /* incarnation= */ 0);
    if (begun.containsKey(lease)) { // asked again, or refused soon: there is one of this id
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
              if (failure != null) { // it may have begun
                later.execute(() -> lookAgain(lease, mine));
              } else {
                granted(lease, mine, answer);
              }
            });
  }

  private void granted(long lease, Begun mine, LeaseAnswer answer) {
    if (answer != null && answer.outcome() instanceof LeaseOutcome.Granted granted) {
      lives(lease, mine, granted.incarnation());
    } else if (answer != null && begun.remove(lease, mine)) {
      give(mine);
    }
  }

  /** The lease is alive, unless the node knows better; one of an earlier life is not any more. */
  private void lives(long lease, Begun mine, long incarnation) {
    begun.compute(
        lease,
        (id, before) -> {
          boolean hasEnded = applied.hasEnded(new LeaseLife(lease, incarnation));
          if (before == null && !hasEnded) {
            leases.count(mine.caller(), 1);
            count(mine.client(), 1);
          } else if (before != null && hasEnded && before.incarnation() <= incarnation) {
            give(before);
          }
          Begun now = before == null ? mine : before;
          return hasEnded
              ? (before == null || before.incarnation() <= incarnation ? null : before)
              : new Begun(now.caller(), now.client(), Math.max(now.incarnation(), incarnation));
        });
  }

  /* Nobody knows what became of its grant, but the journal does by now. */
  private void lookAgain(long lease, Begun mine) {
    OptionalLong alive = applied.incarnation(lease);
    if (alive.isPresent()) {
      lives(lease, mine, alive.getAsLong());
    } else if (begun.remove(lease, mine)) {
      give(mine);
    }
  }

  private void take(Begun mine) {
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

  private void give(Begun mine) {
    leases.give(mine.caller(), 1);
    count(mine.client(), -1);
  }

  /** How many a client has; all without a name are not one client here. */
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
                "[%d] leases of the %s live that were begun here, the maximum by holdfast.locks.max-leases"
                    .formatted(full.most(), full.of()))
            .setMaximum(full.most()));
  }

  @Override
  public void ended(LeaseEnd end) {
    ended(end.lease().id(), end.lease().incarnation());
  }

  private void ended(long lease, long incarnation) {
    begun.computeIfPresent(
        lease,
        (id, known) -> {
          if (known.incarnation() != incarnation) {
            return known; // a later one, or one whose grant is looked at when it is answered
          }
          give(known);
          return null;
        });
  }

  /** A lease was asked to end; this node may not have heard of that otherwise. */
  void answered(long lease, LeaseAnswer answer) {
    if (answer.outcome() instanceof LeaseOutcome.Ended ended && !ended.repeated()) {
      Begun known = begun.get(lease);
      if (known != null && known.incarnation() != 0 && known.incarnation() < answer.revision()) {
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
                  LeaseLife life = new LeaseLife(lease, known.incarnation());
                  if (known.incarnation() != 0 && applied.hasEnded(life)) {
                    ended(lease, known.incarnation());
                  }
                }));
  }

  /** How many count. */
  int size() {
    return begun.size();
  }
}
