package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.RecipientRef;
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
 * Asks a lock or lease again for as long as it does not answer, as {@link Resending} says: what is
 * sent to a node that has gone, or to a shard between two owners, is lost and not kept.
 */
final class Insistence {

  private final Questions questions;
  private final Agenda agenda;
  private final LongSupplier nanoClock;
  private final AtomicLong numbers = new AtomicLong();

  /** The open questions of each shard, by number: a later one has a higher number. */
  private final List<Map<Long, Asking>> open = new ArrayList<>();

  /**
   * Nothing is asked yet.
   *
   * @param nanoClock monotonic, in nanoseconds
   * @param shards how many there are
   */
  Insistence(Questions questions, Agenda agenda, LongSupplier nanoClock, int shards) {
    this.questions = questions;
    this.agenda = agenda;
    this.nanoClock = nanoClock;
    for (int shard = 0; shard < shards; shard++) {
      open.add(new ConcurrentHashMap<>());
    }
  }

  /** As {@link #Insistence(Questions, Agenda, LongSupplier, int)}, by an actor system. */
  Insistence(ActorSystem<?> system, int shards) {
    this(Questions.of(system), Agenda.of(system), System::nanoTime, shards);
  }

  /**
   * Asks until an answer comes; fails with a {@code TimeoutException} if none does.
   *
   * @param shard that runs the actor
   * @param resending of this question, which is asked now
   * @param nobodyWaits once this completes it asks no more
   */
  <T> CompletionStage<T> ask(
      RecipientRef<ShardMessage> actor,
      int shard,
      Function<ActorRef<T>, ShardMessage> question,
      Duration within,
      Resending resending,
      CompletionStage<?> nobodyWaits) {
    Asking asking = new Asking(actor, open.get(shard), resending);
    CompletionStage<T> answer =
        questions.ask(actor, replyTo -> asking.first(question.apply(replyTo)), within);
    asking.begin();
    var unused = nobodyWaits.thenRun(asking::end);
    return answer.whenComplete((content, failure) -> asking.end());
  }

  /** The shard has come to another owner: what is open there is asked again at once. */
  void moved(int shard) {
    Map<Long, Asking> there = open.get(shard);
    if (!there.isEmpty()) {
      agenda.soon(() -> there.values().forEach(Asking::moved));
    }
  }

  /** How many questions have no answer yet. */
  int open() {
    return open.stream().mapToInt(Map::size).sum();
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  private final class Asking {
    private final RecipientRef<ShardMessage> actor;
    private final Map<Long, Asking> peers;
    private final Resending resending;
    private @Nullable ShardMessage message;
    private Agenda.@Nullable Plan timer;
    private final long number = numbers.incrementAndGet();
    private final long begunAt = now();
    private boolean ended;

    Asking(RecipientRef<ShardMessage> actor, Map<Long, Asking> peers, Resending resending) {
      this.actor = actor;
      this.peers = peers;
      this.resending = resending;
    }

    ShardMessage first(ShardMessage asked) {
      message = asked;
      return asked;
    }

    synchronized void begin() {
      if (!ended) { // else the answer came first
        peers.put(number, this);
        againLater();
      }
    }

    private void againLater() {
      cancelTimer(); // there is one if this comes of a timer that went off before its cancel
      timer = agenda.after(resending.pause(), this::again);
    }

    private synchronized void again() {
      if (!ended) {
        resending.sent(now());
        askAgain();
      }
    }

    synchronized void moved() {
      if (!ended) {
        resending.moved(now());
        askAgain();
      }
    }

    private void askAgain() {
      ShardMessage asked = message;
      if (asked != null) {
        actor.tell(asked.after((now() - begunAt) / 1_000_000));
      }
      againLater();
    }

    synchronized void end() {
      ended = true;
      peers.remove(number);
      cancelTimer();
    }

    private void cancelTimer() {
      Agenda.Plan current = timer;
      if (current != null) {
        current.cancel();
      }
    }
  }
}
