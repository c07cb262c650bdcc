package io.holdfast.grpc.call;

import io.holdfast.config.LockLimits;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.lock.LeaseLife;
import io.holdfast.sharding.LockQueries;
import io.holdfast.sharding.LockShards;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * What a node has for its clients and only so much of, and what of it one client may take.
 *
 * @param commands that are under way
 * @param unread bytes of answers
 * @param operations of sessions without an answer
 * @param lockCalls single calls for locks that wait, or are given back
 * @param leases that live
 * @param requests that are remembered
 */
public record Shares(
    Commands commands,
    Quota unread,
    Quota operations,
    Quota lockCalls,
    LeaseShare leases,
    RequestShare requests) {

  /** A node has so many times what one connection may have open in sessions. */
  private static final int OPERATIONS_PART = 8;

  /** A node has so many times as many calls for locks that wait as commands under way. */
  private static final int WAITING_PART = 16;

  /** After so long no grant is under way any more. */
  private static final Duration GRANTS_END_WITHIN = Duration.ofSeconds(30);

  /** Of a node whose client has nothing yet. */
  public static Shares of(
      SessionStreamSettings sessions,
      LockLimits limits,
      Quota unread,
      LockShards locks,
      LockQueries reads,
      Executor executor) {
    Nodes nodes = new Nodes(locks);
    long ofConnection = sessions.maxOpenOperationsPerConnection();
    long waiting = (long) WAITING_PART * sessions.maxCommands();
    return new Shares(
        new Commands(sessions.maxCommands()),
        unread,
        new Quota(Quota.Kind.OPERATIONS, OPERATIONS_PART * ofConnection, ofConnection),
        new Quota(Quota.Kind.LOCK_CALLS, waiting, waiting),
        new LeaseShare(
            new Quota(Quota.Kind.LEASES, limits.leases(), limits.leases(), nodes),
            applied(reads),
            executor,
            CompletableFuture.delayedExecutor(
                GRANTS_END_WITHIN.toMillis(), TimeUnit.MILLISECONDS, executor)),
        new RequestShare(limits.requestIdsPerShard(), nodes, System::nanoTime));
  }

  /** What a node has applied of leases. */
  public static LeaseShare.Applied applied(LockQueries reads) {
    return new LeaseShare.Applied() {
      @Override
      public OptionalLong incarnation(long lease) {
        return reads.incarnation(lease);
      }

      @Override
      public boolean hasEnded(LeaseLife lease) {
        return reads.hasEnded(lease);
      }
    };
  }
}
