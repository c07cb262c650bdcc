package io.holdfast.grpc.call;

import io.holdfast.config.LockLimits;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.hosting.LockQueries;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.sharding.LockShards;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The quotas of a node that its clients share.
 *
 * @param commands commands in progress
 * @param unread bytes of unread answers
 * @param operations operations of sessions without an answer
 * @param lockCalls Lock calls that wait, or whose locks are being released
 * @param leases leases that are alive
 * @param requests request ids that are remembered
 */
public record NodeQuotas(
    CommandQuota commands,
    Quota unread,
    Quota operations,
    Quota lockCalls,
    LeaseQuota leases,
    RequestQuota requests) {

  /** The node's quota of session operations, as a multiple of a connection's. */
  private static final int OPERATIONS_PART = 8;

  /** The node's quota of waiting Lock calls, as a multiple of that of commands in progress. */
  private static final int WAITING_PART = 16;

  /** After this time no grant of a lease can be in progress. */
  private static final Duration GRANTS_END_WITHIN = Duration.ofSeconds(30);

  /** Creates the quotas of a node, with nothing taken. */
  public static NodeQuotas of(
      SessionStreamSettings sessions,
      LockLimits limits,
      Quota unread,
      LockShards locks,
      LockQueries reads,
      Executor executor) {
    NodeCount nodes = new NodeCount(locks);
    long ofConnection = sessions.maxOpenOperationsPerConnection();
    long waiting = (long) WAITING_PART * sessions.maxCommands();
    return new NodeQuotas(
        new CommandQuota(sessions.maxCommands()),
        unread,
        new Quota(Quota.Kind.OPERATIONS, OPERATIONS_PART * ofConnection, ofConnection),
        new Quota(Quota.Kind.LOCK_CALLS, waiting, waiting),
        new LeaseQuota(
            new Quota(Quota.Kind.LEASES, limits.leases(), limits.leases(), nodes),
            applied(reads),
            executor,
            CompletableFuture.delayedExecutor(
                GRANTS_END_WITHIN.toMillis(), TimeUnit.MILLISECONDS, executor)),
        new RequestQuota(limits.requestIdsPerShard(), nodes, System::nanoTime));
  }

  /** Returns a view of the leases that the node has applied. */
  public static LeaseQuota.AppliedLeases applied(LockQueries reads) {
    return new LeaseQuota.AppliedLeases() {
      @Override
      public Optional<LeaseLife> alive(LeaseId lease) {
        return reads.alive(lease);
      }

      @Override
      public boolean hasEnded(LeaseLife lease) {
        return reads.hasEnded(lease);
      }
    };
  }
}
