package io.holdfast.entity;

import akka.actor.typed.RecipientRef;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The commands of this node to locks and leases, each sent again until it has its outcome. Safe for
 * use by many threads.
 */
final class LockRequests {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final Insistence insistence;
  private final Agenda agenda;
  private final LongSupplier nanoClock;
  private final Function<String, RecipientRef<ShardMessage>> actors;
  private final ToIntFunction<String> shards;
  private final Duration answerWithin;
  private final GivingBack givingBack;

  /**
   * None is open.
   *
   * @param nanoClock monotonic, in nanoseconds
   * @param actors the way to the actor of this name
   * @param shards which shard it is in
   * @param answerWithin how long an answer is waited for, beyond the time in line
   */
  LockRequests(
      Insistence insistence,
      Agenda agenda,
      LongSupplier nanoClock,
      Function<String, RecipientRef<ShardMessage>> actors,
      ToIntFunction<String> shards,
      Duration answerWithin) {
    this.insistence = insistence;
    this.agenda = agenda;
    this.nanoClock = nanoClock;
    this.actors = actors;
    this.shards = shards;
    this.answerWithin = answerWithin;
    givingBack =
        new GivingBack(
            (key, command) -> ask(key, command, new CompletableFuture<Void>()), agenda, nanoClock);
  }

  /** As {@link LockShards#handle(LockKey, LockCommand, CompletionStage)}. */
  CompletionStage<LockAnswer> ask(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
    return ask(key, command, nobodyWaits, () -> {});
  }

  /** As {@link LockShards#handle(LockKey, LockCommand, CompletionStage, Runnable)}. */
  CompletionStage<LockAnswer> ask(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits, Runnable whenOver) {
    CompletionStage<LockAnswer> outcome = new Open(key, command, nobodyWaits).ask();
    if (command instanceof LockCommand.Acquire acquire && !acquire.request().id().isRepeatable()) {
      cancelUnanswered(key, acquire, outcome, nobodyWaits, whenOver);
    } else {
      var unused = outcome.whenComplete((answer, failure) -> whenOver.run());
    }
    return outcome;
  }

  /** As {@link LockShards#handle(long, LeaseCommand)}. */
  CompletionStage<LeaseAnswer> ask(long lease, LeaseCommand command) {
    String name = Ids.entityOfLease(lease);
    return insistence.ask(
        actors.apply(name),
        shards.applyAsInt(name),
        replyTo -> new LeaseMessage.Handle(command, /* number= */ 0, replyTo),
        answerWithin,
        new Resending(nanoClock.getAsLong()),
        new CompletableFuture<Void>());
  }

  /** One command, from its first copy on. */
  private final class Open {

    private final long begunAt = nanoClock.getAsLong();
    private final LockKey key;
    private final LockCommand command;
    private final CompletionStage<?> nobodyWaits;
    private final Duration within;
    private final Resending resending;

    /** An answer that came before, and was not the outcome yet. */
    private volatile @Nullable LockAnswer first;

    Open(LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
      this.key = key;
      this.command = command;
      this.nobodyWaits = nobodyWaits;
      if (command instanceof LockCommand.Acquire acquire) {
        within = acquire.patience().toDuration().plus(answerWithin);
        // To ask is a sign of life.
        resending = new Resending(begunAt, acquire.life().ttl().toDuration().dividedBy(3));
      } else {
        within = answerWithin;
        resending = new Resending(begunAt);
      }
    }

    CompletionStage<LockAnswer> ask() {
      return ask(command);
    }

    private CompletionStage<LockAnswer> ask(LockCommand copy) {
      return insistence
          .<LockAnswer>ask(
              actors.apply(key.value()),
              shards.applyAsInt(key.value()),
              replyTo ->
                  new LockMessage.Handle(
                      copy, /* number= */ 0, /* lowestOpen= */ 0, /* tellsPlace= */ false, replyTo),
              left(),
              resending,
              nobodyWaits)
          .thenCompose(
              answer ->
                  resending.isOutcome(answer)
                      ? CompletableFuture.completedFuture(outcome(answer))
                      : askAnew(answer));
    }

    /* The copies that were sent already may be answered, too; nobody listens to that. */
    private CompletionStage<LockAnswer> askAnew(LockAnswer answer) {
      if (passed() >= within.toNanos()) {
        return CompletableFuture.failedFuture(
            new TimeoutException("no outcome about [%s] within [%s]".formatted(key, within)));
      }
      LockCommand.Acquire acquire = (LockCommand.Acquire) command; // others are kept at once
      LockCommand copy =
          hasLeft(answer) ? acquire.afterWaiting() : acquire.after(passed() / 1_000_000);
      if (first == null) {
        first = answer;
        return ask(copy);
      }
      CompletableFuture<LockCommand> later = new CompletableFuture<>();
      agenda.after(resending.pause(), () -> later.complete(copy));
      return later.thenCompose(this::ask);
    }

    private static boolean hasLeft(LockAnswer answer) {
      return answer.outcome() instanceof Outcome.Refused refused
          && refused.refusal() instanceof Refusal.LeftLine;
    }

    /** What is kept only says again what was answered first, unless another copy was granted. */
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

    /** Asked alone: a ladder over the outcomes would have to name them all. */
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

  /** Nobody else can ask for the outcome: what it is granted would be nobody's. */
  private void cancelUnanswered(
      LockKey key,
      LockCommand.Acquire acquire,
      CompletionStage<LockAnswer> outcome,
      CompletionStage<?> nobodyWaits,
      Runnable whenOver) {
    CompletableFuture<Boolean> unanswered = new CompletableFuture<>();
    var unused = nobodyWaits.thenRun(() -> unanswered.complete(true));
    var unusedToo = outcome.whenComplete((answer, failure) -> unanswered.complete(failure != null));
    var unusedThree =
        unanswered.thenAccept(isCancelled -> cancelIf(isCancelled, key, acquire, whenOver));
  }

  private void cancelIf(
      boolean isUnanswered, LockKey key, LockCommand.Acquire acquire, Runnable whenOver) {
    if (isUnanswered) {
      // It may wait for its ttl, and then hold for another.
      Duration lives = acquire.life().ttl().toDuration().multipliedBy(2);
      LockCommand cancel = new LockCommand.Cancel(acquire.request().id());
      var unused = givingBack.send(key, cancel, lives, whenOver);
    } else {
      whenOver.run();
    }
  }
}
