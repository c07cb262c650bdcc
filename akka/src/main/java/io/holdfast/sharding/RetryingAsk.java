package io.holdfast.sharding;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.RecipientRef;
import io.holdfast.id.ShardId;
import io.holdfast.wire.ResendSchedule;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a lock or lease, and resends the question by a {@link ResendSchedule} until there is an
 * answer. Messages to a node that is gone, or to a shard between two owners, are lost.
 */
final class RetryingAsk {

  private final ActorAsk actorAsk;
  private final TaskScheduler scheduler;
  private final LongSupplier nanoClock;
  private final AtomicLong numbers = new AtomicLong();

  /** The open questions of each shard, by increasing number. */
  private final List<Map<Long, Asking>> open = new ArrayList<>();

  /**
   * Creates it without open questions.
   *
   * @param nanoClock monotonic, in nanoseconds
   * @param shards the number of shards
   */
  RetryingAsk(ActorAsk actorAsk, TaskScheduler scheduler, LongSupplier nanoClock, int shards) {
    this.actorAsk = actorAsk;
    this.scheduler = scheduler;
    this.nanoClock = nanoClock;
    for (int i = 0; i < shards; i++) {
      open.add(new ConcurrentHashMap<>());
    }
  }

  /**
   * As {@link #RetryingAsk(ActorAsk, TaskScheduler, LongSupplier, int)}, with the threads and the
   * clock of an actor system.
   */
  RetryingAsk(ActorSystem<?> system, int shards) {
    this(ActorAsk.of(system), TaskScheduler.of(system), System::nanoTime, shards);
  }

  /**
   * Asks until an answer comes; fails with a {@code TimeoutException} if none does.
   *
   * @param shard the shard of the actor
   * @param schedule the schedule of the copies of the question, which is sent now
   * @param nobodyWaits ends the copies when it completes
   */
  <T> CompletionStage<T> ask(
      RecipientRef<ShardMessage> actor,
      ShardId shard,
      Function<ActorRef<T>, ShardMessage> question,
      Duration within,
      ResendSchedule schedule,
      CompletionStage<?> nobodyWaits) {
    Asking asking = new Asking(actor, open.get(shard.value()), schedule);
    CompletionStage<T> answer =
        actorAsk.ask(actor, replyTo -> asking.first(question.apply(replyTo)), within);
    asking.begin();
    var unused = nobodyWaits.thenRun(asking::end);
    return answer.whenComplete((content, failure) -> asking.end());
  }

  /** Resends the open questions of a shard at once, since it has a new owner. */
  void moved(ShardId shard) {
    Map<Long, Asking> there = open.get(shard.value());
    if (!there.isEmpty()) {
      scheduler.soon(() -> there.values().forEach(Asking::moved));
    }
  }

  /** Returns the number of open questions. */
  int open() {
    return open.stream().mapToInt(Map::size).sum();
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  private final class Asking {
    private final RecipientRef<ShardMessage> actor;
    private final Map<Long, Asking> peers;
    private final ResendSchedule schedule;
    private @Nullable ShardMessage message;
    private TaskScheduler.@Nullable Task timer;
    private final long number = numbers.incrementAndGet();
    private final long begunAt = now();
    private boolean ended;

    Asking(RecipientRef<ShardMessage> actor, Map<Long, Asking> peers, ResendSchedule schedule) {
      this.actor = actor;
      this.peers = peers;
      this.schedule = schedule;
    }

    ShardMessage first(ShardMessage asked) {
      message = asked;
      return asked;
    }

    synchronized void begin() {
      if (!ended) { // else the answer came first
        peers.put(number, this);
        resendLater();
      }
    }

    private void resendLater() {
      cancelTimer(); // it exists if the timer fired before its cancel
      timer = scheduler.after(schedule.pause(), this::onTimer);
    }

    private synchronized void onTimer() {
      if (!ended) {
        schedule.sent(now());
        resend();
      }
    }

    synchronized void moved() {
      if (!ended) {
        schedule.moved(now());
        resend();
      }
    }

    private void resend() {
      ShardMessage asked = message;
      if (asked != null) {
        actor.tell(asked.after((now() - begunAt) / 1_000_000));
      }
      resendLater();
    }

    synchronized void end() {
      ended = true;
      peers.remove(number);
      cancelTimer();
    }

    private void cancelTimer() {
      TaskScheduler.Task current = timer;
      if (current != null) {
        current.cancel();
      }
    }
  }
}
