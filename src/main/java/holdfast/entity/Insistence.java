package holdfast.entity;

import akka.actor.Cancellable;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.RecipientRef;
import akka.actor.typed.javadsl.AskPattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks a lock or lease again for as long as it does not answer, as {@link Resending} says: what is
 * sent to a node that has gone, or to a shard between two owners, is lost and not kept.
 */
final class Insistence {

  private final ActorSystem<?> system;
  private final List<Set<Asking>> open = new ArrayList<>();

  /**
   * Nothing is asked yet.
   *
   * @param shards how many there are
   */
  Insistence(ActorSystem<?> system, int shards) {
    this.system = system;
    for (int shard = 0; shard < shards; shard++) {
      open.add(ConcurrentHashMap.newKeySet());
    }
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
        AskPattern.ask(
            actor, replyTo -> asking.first(question.apply(replyTo)), within, system.scheduler());
    asking.begin();
    var unused = nobodyWaits.thenRun(asking::end);
    return answer.whenComplete((content, failure) -> asking.end());
  }

  /** The shard has come to another owner: what is open there is asked again at once. */
  void moved(int shard) {
    Set<Asking> there = open.get(shard);
    if (!there.isEmpty()) {
      system.executionContext().execute(() -> there.forEach(Asking::moved));
    }
  }

  /** How many questions have no answer yet. */
  int open() {
    return open.stream().mapToInt(Set::size).sum();
  }

  private final class Asking {
    private final RecipientRef<ShardMessage> actor;
    private final Set<Asking> peers;
    private final Resending resending;
    private @Nullable ShardMessage message;
    private @Nullable Cancellable timer;
    private final long begunAt = System.nanoTime();
    private boolean ended;

    Asking(RecipientRef<ShardMessage> actor, Set<Asking> peers, Resending resending) {
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
        peers.add(this);
        againLater();
      }
    }

    private void againLater() {
      timer =
          system
              .scheduler()
              .scheduleOnce(resending.pause(), this::again, system.executionContext());
    }

    private synchronized void again() {
      if (!ended) {
        resending.sent(System.nanoTime());
        askAgain();
      }
    }

    synchronized void moved() {
      if (!ended) {
        cancelTimer();
        resending.moved(System.nanoTime());
        askAgain();
      }
    }

    private void askAgain() {
      ShardMessage asked = message;
      if (asked != null) {
        actor.tell(asked.after((System.nanoTime() - begunAt) / 1_000_000));
      }
      againLater();
    }

    synchronized void end() {
      ended = true;
      peers.remove(this);
      cancelTimer();
    }

    private void cancelTimer() {
      Cancellable current = timer;
      if (current != null) {
        current.cancel();
      }
    }
  }
}
