package io.holdfast.service;

import akka.cluster.sharding.typed.javadsl.EntityRef;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.sharding.LockShards;
import io.holdfast.wire.LockMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A reference to one lock of the cluster. Requests are resent under the same id until there is an
 * answer, to whichever node runs the lock by then. Safe for use by many threads.
 *
 * <p>A stage fails with {@link java.util.concurrent.TimeoutException} if no answer came in time.
 * The request is cancelled then, and its grant released, with retries until that is answered or the
 * ttl has passed. It fails with {@link LockRefused} if the lock refused, and with {@link
 * LockShards.Overloaded} if nothing was sent.
 */
public final class LockRef {

  private final LockClient locks;
  private final LockKey key;

  LockRef(LockClient locks, LockKey key) {
    this.locks = locks;
    this.key = key;
  }

  public LockKey key() {
    return key;
  }

  /** Returns the actor of the lock. Messages to it may be lost. */
  public EntityRef<LockMessage> actor() {
    return locks.actor(key);
  }

  /** Acquires the lock if it is free; returns empty if another holder has it. */
  public CompletionStage<Optional<LockGrant>> tryLock(Duration ttl) {
    return lock(ttl, Duration.ZERO);
  }

  /**
   * Acquires the lock, waiting in the queue; returns empty if the timeout passed. A grant is
   * renewed until it is unlocked.
   *
   * <p>To give up earlier, complete or cancel the future of this very stage, as {@link
   * CompletableFuture#orTimeout} does: the request is cancelled, and a late grant is released.
   * Cancelling a dependent stage has no such effect.
   *
   * @param ttl the time that the grant outlives this process, 100 ms to 24 hours
   * @param waitTimeout the longest wait in the queue, at most one hour
   */
  public CompletionStage<Optional<LockGrant>> lock(Duration ttl, Duration waitTimeout) {
    RequestId.Once id = locks.newRequest();
    LockCommand.Acquire acquire =
        new LockCommand.Acquire(
            new RequestHeader(id, new ContentHash().and(ttl.toMillis()).value()),
            HolderId.of(locks.client(), Long.toHexString(id.value())),
            new Lifetime.Own(new Ttl(ttl.toMillis())),
            new WaitTimeout(waitTimeout.toMillis()),
            /* reenter= */ false,
            Metadata.NONE);
    return locks.acquire(nobodyWaits -> ask(acquire, id, nobodyWaits), () -> cancel(id, ttl));
  }

  /**
   * Cancels a request. It may be granted at the very end of its wait, and then has one more ttl.
   */
  private void cancel(RequestId id, Duration ttl) {
    var unused = locks.pendingReleases().send(key, new LockCommand.Cancel(id), ttl.multipliedBy(2));
  }

  private CompletionStage<Optional<LockGrant>> ask(
      LockCommand.Acquire acquire, RequestId id, CompletionStage<?> nobodyWaits) {
    long sentNanos = locks.nowNanos();
    return locks
        .gateway()
        .handle(key, acquire, nobodyWaits)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) { // nobody would use a later grant
                cancel(id, acquire.life().ttl().toDuration());
              }
            })
        .thenCompose(answer -> answered(answer.outcome(), sentNanos));
  }

  private CompletionStage<Optional<LockGrant>> answered(Outcome outcome, long sentNanos) {
    if (outcome instanceof Outcome.Acquired acquired) {
      LockGrant grant = new LockGrant(locks, key, acquired.token(), acquired.life().ttl());
      boolean isAtOnce = acquired.manner() == Outcome.Manner.AT_ONCE;
      boolean isFresh = isAtOnce && grant.moveDeadline(sentNanos);
      // A grant after waiting, or a repeated one, may have ended before its answer arrived.
      CompletionStage<Boolean> isHeld =
          isFresh ? CompletableFuture.completedFuture(true) : confirmed(grant);
      return isHeld.thenApply(held -> held ? Optional.of(grant.begin()) : tooLate(grant));
    }
    return notGranted(outcome);
  }

  /**
   * Confirms a grant by a renewal. A grant without a confirmation is released, since it may be
   * alive.
   */
  private CompletionStage<Boolean> confirmed(LockGrant grant) {
    return grant
        .confirm()
        .whenComplete(
            (held, failure) -> {
              if (failure != null) {
                releaseLate(grant);
              }
            });
  }

  private CompletionStage<Optional<LockGrant>> notGranted(Outcome outcome) {
    if (!(outcome instanceof Outcome.Refused refused)) {
      throw new IllegalStateException("lock [%s] answers [%s]".formatted(key, outcome));
    } else if (!isTaken(refused.refusal())) {
      throw new LockRefused(key, refused.refusal());
    }
    return CompletableFuture.completedFuture(Optional.empty());
  }

  private static boolean isTaken(Refusal refusal) {
    return refusal instanceof Refusal.Held || hasLeft(refusal);
  }

  private static boolean hasLeft(Refusal refusal) {
    return refusal instanceof Refusal.LeftQueue left
        && (left.cause() == LockCommand.LeaveCause.TIMED_OUT
            || left.cause() == LockCommand.LeaveCause.REFUSED);
  }

  /** Releases a grant that came too late to be sure of it. */
  private Optional<LockGrant> tooLate(LockGrant grant) {
    releaseLate(grant);
    return Optional.empty();
  }

  private static void releaseLate(LockGrant grant) {
    var unused = grant.unlock();
  }

  /** Releases the grant with this token; returns false if it had ended. */
  CompletionStage<Boolean> release(FencingToken token, Duration ttl) {
    RequestId id = locks.newRequest();
    RequestHeader request = new RequestHeader(id, new ContentHash().and(token.value()).value());
    return locks
        .pendingReleases()
        .send(key, new LockCommand.Release(request, token, /* all= */ true), ttl)
        .thenApply(
            answer -> {
              requireNoRefusal(answer.outcome());
              return answer.outcome() instanceof Outcome.Released;
            });
  }

  private void requireNoRefusal(Outcome outcome) {
    if (outcome instanceof Outcome.Refused refused && !isOver(refused.refusal())) {
      throw new LockRefused(key, refused.refusal());
    }
  }

  private static boolean isOver(Refusal refusal) {
    return refusal instanceof Refusal.NotHolder;
  }
}
