package io.holdfast.entity;

import akka.cluster.sharding.typed.javadsl.EntityRef;
import io.holdfast.lock.Content;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Life;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Patience;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.Request;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One lock of the cluster. What is asked of it is asked again, under the same name, until there is
 * an answer, wherever the lock is run by then. Safe for use by many threads.
 *
 * <p>A stage fails with {@link java.util.concurrent.TimeoutException} if nobody answered in time:
 * the request is cancelled then, and what it was granted is given back. Both are sent until they
 * are answered, or what they are about has ended by its ttl. It fails with {@link LockRefused} if
 * the lock said no, and with {@link LockShards.Overloaded} if nobody was asked.
 */
public final class LockRef {

  private final LockDoor door;
  private final LockKey key;

  LockRef(LockDoor door, LockKey key) {
    this.door = door;
    this.key = key;
  }

  public LockKey key() {
    return key;
  }

  /** Who runs the lock, to be spoken with as with any actor. What it is told may be lost. */
  public EntityRef<LockMessage> actor() {
    return door.actor(key);
  }

  /** Holds the lock if it is free; empty if somebody else holds it. */
  public CompletionStage<Optional<LockGrant>> tryLock(Duration ttl) {
    return lock(ttl, Duration.ZERO);
  }

  /**
   * Holds the lock as soon as it is this request's turn; empty if that did not come in time. A
   * grant is kept alive until it is unlocked.
   *
   * <p>Whoever gives the wish up earlier completes or cancels the future of this very stage, as
   * {@link CompletableFuture#orTimeout} does: then the request is cancelled, and what it is granted
   * all the same is given back. To cancel a stage that depends on it does not end the wish.
   *
   * @param ttl how long the grant outlives this process, 100 ms to 24 hours
   * @param patience how long to wait in line, at most one hour
   */
  public CompletionStage<Optional<LockGrant>> lock(Duration ttl, Duration patience) {
    RequestId.Once id = door.newRequest();
    LockCommand.Acquire acquire =
        new LockCommand.Acquire(
            new Request(id, new Content().and(ttl.toMillis()).value()),
            HolderId.of(door.client(), Long.toHexString(id.value())),
            new Life.Own(new Ttl(ttl.toMillis())),
            new Patience(patience.toMillis()),
            /* reenter= */ false,
            Metadata.NONE);
    return door.asking(nobodyWaits -> ask(acquire, id, nobodyWaits), () -> cancel(id, ttl));
  }

  /** It may be granted right before its place in the line runs out, and has a ttl from then on. */
  private void cancel(RequestId id, Duration ttl) {
    var unused = door.givingBack().send(key, new LockCommand.Cancel(id), ttl.multipliedBy(2));
  }

  private CompletionStage<Optional<LockGrant>> ask(
      LockCommand.Acquire acquire, RequestId id, CompletionStage<?> nobodyWaits) {
    long sentNanos = door.nowNanos();
    return door.way()
        .handle(key, acquire, nobodyWaits)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) { // nobody will hold what it may be granted yet
                cancel(id, acquire.life().ttl().toDuration());
              }
            })
        .thenCompose(answer -> answered(answer.outcome(), sentNanos));
  }

  private CompletionStage<Optional<LockGrant>> answered(Outcome outcome, long sentNanos) {
    if (outcome instanceof Outcome.Acquired acquired) {
      LockGrant grant = new LockGrant(door, key, acquired.token(), acquired.life().ttl());
      boolean isFresh = acquired.manner() == Outcome.Manner.AT_ONCE && grant.isSureFrom(sentNanos);
      // One that came after waiting, or as a repetition, may have ended on the way.
      CompletionStage<Boolean> isHeld =
          isFresh ? CompletableFuture.completedFuture(true) : confirmed(grant);
      return isHeld.thenApply(held -> held ? Optional.of(grant.begin()) : tooLate(grant));
    }
    return notGranted(outcome);
  }

  /** A grant that nobody could confirm is nobody's either, and may be alive for all that. */
  private CompletionStage<Boolean> confirmed(LockGrant grant) {
    return grant
        .confirm()
        .whenComplete(
            (held, failure) -> {
              if (failure != null) {
                giveBack(grant);
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
    return refusal instanceof Refusal.LeftLine left
        && (left.cause() == LockCommand.LeaveCause.TIMED_OUT
            || left.cause() == LockCommand.LeaveCause.REFUSED);
  }

  /** A grant that came too late to count on it is nobody's, and is given back. */
  private Optional<LockGrant> tooLate(LockGrant grant) {
    giveBack(grant);
    return Optional.empty();
  }

  private static void giveBack(LockGrant grant) {
    var unused = grant.unlock();
  }

  /** Ends the grant of this token; false if it is none any more. */
  CompletionStage<Boolean> release(FencingToken token, Duration ttl) {
    RequestId id = door.newRequest();
    Request request = new Request(id, new Content().and(token.value()).value());
    return door.givingBack()
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
