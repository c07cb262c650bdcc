package holdfast.entity;

import akka.actor.typed.RecipientRef;
import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The commands of this node to locks, each sent again until it has its outcome. Safe for use by
 * many threads.
 */
final class LockRequests {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final Insistence insistence;
  private final Agenda agenda;
  private final Function<LockKey, RecipientRef<ShardMessage>> actors;
  private final ToIntFunction<LockKey> shards;
  private final Duration answerWithin;
  private final GivingBack givingBack;

  /**
   * None is open.
   *
   * @param answerWithin how long an answer is waited for, beyond the time in line
   */
  LockRequests(
      Insistence insistence,
      Agenda agenda,
      Function<LockKey, RecipientRef<ShardMessage>> actors,
      ToIntFunction<LockKey> shards,
      Duration answerWithin) {
    this.insistence = insistence;
    this.agenda = agenda;
    this.actors = actors;
    this.shards = shards;
    this.answerWithin = answerWithin;
    givingBack =
        new GivingBack(
            (key, command) -> ask(key, command, new CompletableFuture<Void>()),
            agenda,
            System::nanoTime);
  }

  /** As {@link LockShards#handle(LockKey, LockCommand, CompletionStage)}. */
  CompletionStage<LockAnswer> ask(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
    CompletionStage<LockAnswer> outcome = new Open(key, command, nobodyWaits).ask(command);
    if (command instanceof LockCommand.Acquire acquire && !acquire.request().id().isRepeatable()) {
      cancelUnanswered(key, acquire, outcome, nobodyWaits);
    }
    return outcome;
  }

  /** One command, from its first copy on. */
  private final class Open {

    private final long begunAt = System.nanoTime();
    private final LockKey key;
    private final CompletionStage<?> nobodyWaits;
    private final Duration within;
    private final Resending resending;
    private boolean wasAskedAnew;

    Open(LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
      this.key = key;
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

    CompletionStage<LockAnswer> ask(LockCommand command) {
      return insistence
          .<LockAnswer>ask(
              actors.apply(key),
              shards.applyAsInt(key),
              replyTo ->
                  new LockMessage.Handle(
                      command,
                      /* number= */ 0,
                      /* lowestOpen= */ 0,
                      /* tellsPlace= */ false,
                      replyTo),
              left(),
              resending,
              nobodyWaits)
          .thenCompose(
              answer ->
                  resending.isOutcome(answer)
                      ? CompletableFuture.completedFuture(answer)
                      : askAnew((LockCommand.Acquire) command));
    }

    private Duration left() {
      Duration left = within.minusNanos(System.nanoTime() - begunAt);
      return left.compareTo(SHORTEST) > 0 ? left : SHORTEST;
    }

    /* The copies that were sent already may be answered, too; nobody listens to that. */
    private CompletionStage<LockAnswer> askAnew(LockCommand.Acquire acquire) {
      LockCommand copy = acquire.after((System.nanoTime() - begunAt) / 1_000_000);
      if (!wasAskedAnew) {
        wasAskedAnew = true;
        return ask(copy);
      }
      CompletableFuture<LockCommand> later = new CompletableFuture<>();
      agenda.after(resending.pause(), () -> later.complete(copy));
      return later.thenCompose(this::ask);
    }
  }

  /** Nobody else can ask for the outcome: what it is granted would be nobody's. */
  private void cancelUnanswered(
      LockKey key,
      LockCommand.Acquire acquire,
      CompletionStage<LockAnswer> outcome,
      CompletionStage<?> nobodyWaits) {
    CompletableFuture<Boolean> unanswered = new CompletableFuture<>();
    var unused = nobodyWaits.thenRun(() -> unanswered.complete(true));
    var unusedToo = outcome.whenComplete((answer, failure) -> unanswered.complete(failure != null));
    var unusedThree = unanswered.thenAccept(isCancelled -> cancelIf(isCancelled, key, acquire));
  }

  private void cancelIf(boolean isUnanswered, LockKey key, LockCommand.Acquire acquire) {
    if (isUnanswered) {
      // It may wait for its ttl, and then hold for another.
      Duration lives = acquire.life().ttl().toDuration().multipliedBy(2);
      var unused = givingBack.send(key, new LockCommand.Cancel(acquire.request().id()), lives);
    }
  }
}
