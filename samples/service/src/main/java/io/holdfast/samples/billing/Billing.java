package io.holdfast.samples.billing;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.LockGrant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The actor that sends bills while it holds the lock, a bill a tick. As many instances as there may
 * be, one of them works; when it dies, the next begins within the ttl.
 */
public final class Billing extends AbstractBehavior<Billing.Message> {

  private static final Duration TTL = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(1);
  private static final Duration GIVE_BACK_WITHIN = Duration.ofSeconds(3);

  /** A message to the actor. */
  public sealed interface Message {}

  private record Joined(@Nullable HoldfastService holdfast, @Nullable Throwable failure)
      implements Message {}

  private record Answered(Optional<LockGrant> grant) implements Message {}

  private record Lost(String reason) implements Message {}

  private record Stop(ActorRef<Done> replyTo) implements Message {}

  private enum Tick implements Message {
    NOW
  }

  private enum Turn implements Message {
    TRY
  }

  private final TimerScheduler<Message> timers;
  private final Ledger ledger;
  private @Nullable HoldfastService holdfast;
  private @Nullable CompletableFuture<Optional<LockGrant>> attempt;
  private @Nullable LockGrant grant;

  /** Joins the cluster, and sends bills whenever it is this instance's turn. */
  public static Behavior<Message> create(Ledger ledger) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new Billing(context, timers, ledger)));
  }

  private Billing(ActorContext<Message> context, TimerScheduler<Message> timers, Ledger ledger) {
    super(context);
    this.timers = timers;
    this.ledger = ledger;
    context.pipeToSelf(HoldfastService.join(context.getSystem()), Joined::new);
    ActorRef<Message> self = context.getSelf();
    ActorSystem<?> system = context.getSystem();
    CoordinatedShutdown.get(system)
        .addTask( // while the cluster can be spoken with
            CoordinatedShutdown.PhaseBeforeServiceUnbind(),
            "give-the-lock-back",
            () -> AskPattern.ask(self, Stop::new, GIVE_BACK_WITHIN, system.scheduler()));
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder()
        .onMessage(Joined.class, this::onJoined)
        .onMessage(Answered.class, this::onAnswered)
        .onMessage(Lost.class, this::onLost)
        .onMessage(Stop.class, this::onStop)
        .onMessageEquals(Tick.NOW, this::onTick)
        .onMessageEquals(Turn.TRY, this::waitForTurn)
        .build();
  }

  private Behavior<Message> onJoined(Joined joined) {
    if (joined.holdfast == null) {
      getContext().getLog().error("the cluster does not take this service", joined.failure);
      return Behaviors.stopped(); // and with the guardian the actor system
    }
    holdfast = joined.holdfast;
    return waitForTurn();
  }

  private Behavior<Message> waitForTurn() {
    if (holdfast != null) {
      attempt = holdfast.lock("billing").lock(TTL, PATIENCE).toCompletableFuture();
      getContext()
          .pipeToSelf(
              attempt,
              (answer, failure) -> new Answered(answer == null ? Optional.empty() : answer));
    }
    return this;
  }

  private Behavior<Message> onAnswered(Answered answered) {
    if (answered.grant.isEmpty()) {
      timers.startSingleTimer(Turn.TRY, BEFORE_NEXT_TRY); // what fails at once would again
      return this;
    }
    grant = answered.grant.get();
    getContext().getLog().info("sends bills under token {}", grant.token().value());
    getContext().pipeToSelf(grant.lost(), (reason, failure) -> new Lost(String.valueOf(reason)));
    timers.startTimerWithFixedDelay(Tick.NOW, PAUSE);
    return this;
  }

  /** The look at the grant comes first, and the ledger has the last word. */
  private Behavior<Message> onTick() {
    if (grant != null && grant.isSurelyHeld() && ledger.bill(grant.token())) {
      getContext().getLog().debug("bill [{}] is sent", ledger.bills());
    }
    return this;
  }

  private Behavior<Message> onLost(Lost lost) {
    getContext().getLog().warn("sends no more bills: {}", lost.reason);
    timers.cancel(Tick.NOW);
    grant = null;
    return waitForTurn();
  }

  /**
   * The next one need not wait for the ttl: an attempt is given up, or what it brought given back.
   */
  private Behavior<Message> onStop(Stop stop) {
    timers.cancelAll();
    if (attempt == null) {
      stop.replyTo.tell(Done.getInstance());
      return Behaviors.ignore();
    }
    attempt.cancel(false);
    var unused =
        attempt
            .thenCompose(
                held ->
                    held.isPresent()
                        ? held.get().unlock()
                        : CompletableFuture.completedStage(false))
            .whenComplete((ended, failure) -> stop.replyTo.tell(Done.getInstance()));
    return Behaviors.ignore(); // it ends with the actor system
  }
}
