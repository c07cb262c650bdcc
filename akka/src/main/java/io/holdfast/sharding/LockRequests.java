package io.holdfast.sharding;

import akka.actor.typed.RecipientRef;
import io.holdfast.id.LeaseId;
import io.holdfast.id.ShardId;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ResendSchedule;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commands of this node to locks and leases, with retries until each has its outcome.
 * Safe for use by many threads.
 */
final class LockRequests {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final RetryingAsk retryingAsk;
  private final TaskScheduler scheduler;
  private final LongSupplier nanoClock;
  private final Function<String, RecipientRef<ShardMessage>> actors;
  private final Function<String, ShardId> shards;
  private final Duration answerWithin;
  private final PendingReleases pendingReleases;

  /**
   * Creates it without open requests.
   *
   * @param nanoClock monotonic, in nanoseconds
   * @param actors the actor of a name
   * @param shards the shard of a name
   * @param answerWithin the timeout for an answer, beyond the time in the queue
   */
  LockRequests(
      RetryingAsk retryingAsk,
      TaskScheduler scheduler,
      LongSupplier nanoClock,
      Function<String, RecipientRef<ShardMessage>> actors,
      Function<String, ShardId> shards,
      Duration answerWithin) {
    this.retryingAsk = retryingAsk;
    this.scheduler = scheduler;
    this.nanoClock = nanoClock;
    this.actors = actors;
    this.shards = shards;
    this.answerWithin = answerWithin;
    pendingReleases =
        new PendingReleases(
            (key, command) -> ask(key, command, new CompletableFuture<Void>()),
            scheduler,
            nanoClock);
  }

  /** As {@link LockShards#handle(LockKey, LockCommand, CompletionStage)}. */
  CompletionStage<LockAnswer> ask(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
    return ask(key, command, nobodyWaits, () -> {});
  }

  /** As {@link LockShards#handle(LockKey, LockCommand, CompletionStage, Runnable)}. */
  CompletionStage<LockAnswer> ask(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits, Runnable whenDone) {
    CompletionStage<LockAnswer> outcome = new Open(key, command, nobodyWaits).ask();
    if (command instanceof LockCommand.Acquire acquire && !acquire.request().id().isRepeatable()) {
      cancelUnanswered(key, acquire, outcome, nobodyWaits, whenDone);
    } else {
      var unused = outcome.whenComplete((answer, failure) -> whenDone.run());
    }
    return outcome;
  }

  /** As {@link LockShards#handle(LeaseId, LeaseCommand)}. */
  CompletionStage<LeaseAnswer> ask(LeaseId lease, LeaseCommand command) {
    String name = EntityIds.entityOfLease(lease);
    return retryingAsk.ask(
        actors.apply(name),
        shards.apply(name),
        replyTo -> new LeaseMessage.Handle(command, /* number= */ 0, replyTo),
        answerWithin,
        new ResendSchedule(nanoClock.getAsLong()),
        new CompletableFuture<Void>());
  }

  /** One command, with all its copies. */
  private final class Open {

    private final long begunAt = nanoClock.getAsLong();
    private final LockKey key;
    private final LockCommand command;
    private final CompletionStage<?> nobodyWaits;
    private final Duration within;
    private final ResendSchedule schedule;

    /** The first answer, if that was not the final outcome. */
    private volatile @Nullable LockAnswer first;

    Open(LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
      this.key = key;
      this.command = command;
      this.nobodyWaits = nobodyWaits;
      if (command instanceof LockCommand.Acquire acquire) {
        within = acquire.waitTimeout().toDuration().plus(answerWithin);
        // Each copy renews the ttl.
        schedule = new ResendSchedule(begunAt, acquire.life().ttl().toDuration().dividedBy(3));
      } else {
        within = answerWithin;
        schedule = new ResendSchedule(begunAt);
      }
    }

    CompletionStage<LockAnswer> ask() {
      return ask(command);
    }

    private CompletionStage<LockAnswer> ask(LockCommand copy) {
      return retryingAsk
          .<LockAnswer>ask(
              actors.apply(key.value()),
              shards.apply(key.value()),
              replyTo ->
                  new LockMessage.Handle(
                      copy, /* number= */ 0, /* lowestOpen= */ 0, /* tellsPlace= */ false, replyTo),
              left(),
              schedule,
              nobodyWaits)
          .thenCompose(
              answer ->
                  schedule.isOutcome(answer)
                      ? CompletableFuture.completedFuture(outcome(answer))
                      : askAgain(answer));
    }

    /* Copies that were sent before may be answered as well; those answers are ignored. */
    private CompletionStage<LockAnswer> askAgain(LockAnswer answer) {
      if (passed() >= within.toNanos()) {
        return CompletableFuture.failedFuture(
            new TimeoutException("no outcome about [%s] within [%s]".formatted(key, within)));
      }
      LockCommand.Acquire acquire = (LockCommand.Acquire) command; // others are recorded
      LockCommand copy =
          hasLeft(answer) ? acquire.afterWaiting() : acquire.after(passed() / 1_000_000);
      if (first == null) {
        first = answer;
        return ask(copy);
      }
      CompletableFuture<LockCommand> later = new CompletableFuture<>();
      scheduler.after(schedule.pause(), () -> later.complete(copy));
      return later.thenCompose(this::ask);
    }

    private static boolean hasLeft(LockAnswer answer) {
      return answer.outcome() instanceof Outcome.Refused refused
          && refused.refusal() instanceof Refusal.LeftQueue;
    }

    /**
     * Returns the first answer, if the recorded outcome only repeats it; else another copy was
     * granted.
     */
    private LockAnswer outcome(LockAnswer kept) {
      LockAnswer before = first;
      return before != null && isSame(before.outcome(), kept.outcome()) ? before : kept;
    }

    private static boolean isSame(Outcome before, Outcome kept) {
      return before instanceof Outcome.Acquired acquired
          ? kept instanceof Outcome.Acquired still
              && still.isHeld()
              && still.token().equals(acquired.token())
          : isRefused(before) && isRefused(kept);
    }

    /** Tests one class: an instanceof ladder over the outcomes would have to name them all. */
    private static boolean isRefused(Outcome outcome) {
      return outcome instanceof Outcome.Refused;
    }

    private long passed() {
      return nanoClock.getAsLong() - begunAt;
    }

    private Duration left() {
      Duration left = within.minusNanos(passed());
      return left.compareTo(SHORTEST) > 0 ? left : SHORTEST;
    }
  }

  /** Cancels a request without an answer, since nobody can ask for its outcome any more. */
  private void cancelUnanswered(
      LockKey key,
      LockCommand.Acquire acquire,
      CompletionStage<LockAnswer> outcome,
      CompletionStage<?> nobodyWaits,
      Runnable whenDone) {
    CompletableFuture<Boolean> unanswered = new CompletableFuture<>();
    var unused = nobodyWaits.thenRun(() -> unanswered.complete(true));
    var unusedToo = outcome.whenComplete((answer, failure) -> unanswered.complete(failure != null));
    var unusedThree =
        unanswered.thenAccept(isCancelled -> cancelIf(isCancelled, key, acquire, whenDone));
  }

  private void cancelIf(
      boolean isUnanswered, LockKey key, LockCommand.Acquire acquire, Runnable whenDone) {
    if (isUnanswered) {
      // It may wait for its ttl, and then hold for another one.
      Duration lives = acquire.life().ttl().toDuration().multipliedBy(2);
      LockCommand cancel = new LockCommand.Cancel(acquire.request().id());
      var unused = pendingReleases.send(key, cancel, lives, whenDone);
    } else {
      whenDone.run();
    }
  }
}
