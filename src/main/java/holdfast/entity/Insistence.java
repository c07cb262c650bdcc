package holdfast.entity;

import akka.actor.Cancellable;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks a lock or lease again for as long as it does not answer: what is sent to a node that has
 * gone, or to a shard between two owners, is lost and not kept.
 */
final class Insistence {

  /** Soon at first, since most moves of a shard are short; then as for one who waits in line. */
  private static final Duration FIRST = Duration.ofMillis(250);

  private static final int SOON = 40;
  private static final Duration LATER = Duration.ofSeconds(1);

  private final ActorSystem<?> system;

  Insistence(ActorSystem<?> system) {
    this.system = system;
  }

  /**
   * Asks until an answer comes; fails with a {@code TimeoutException} if none does.
   *
   * @param mostPause asks again after this time at the latest: to ask is a sign of life
   * @param nobodyWaits once this completes it asks no more
   */
  <T> CompletionStage<T> ask(
      EntityRef<ShardMessage> actor,
      Function<ActorRef<T>, ShardMessage> question,
      Duration within,
      Duration mostPause,
      CompletionStage<?> nobodyWaits) {
    Asking asking = new Asking(actor, mostPause);
    CompletionStage<T> answer = actor.ask(replyTo -> asking.first(question.apply(replyTo)), within);
    asking.againLater();
    var unused = nobodyWaits.thenRun(asking::end);
    return answer.whenComplete((content, failure) -> asking.end());
  }

  private final class Asking {
    private final EntityRef<ShardMessage> actor;
    private final Duration mostPause;
    private volatile @Nullable ShardMessage message;
    private final AtomicReference<@Nullable Cancellable> timer = new AtomicReference<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private int times;

    Asking(EntityRef<ShardMessage> actor, Duration mostPause) {
      this.actor = actor;
      this.mostPause = mostPause;
    }

    ShardMessage first(ShardMessage asked) {
      message = asked;
      return asked;
    }

    void againLater() {
      Duration usual = times < SOON ? FIRST : LATER;
      Duration pause = usual.compareTo(mostPause) < 0 ? usual : mostPause;
      Cancellable next =
          system.scheduler().scheduleOnce(pause, this::again, system.executionContext());
      timer.set(next);
      if (ended.get()) {
        next.cancel();
      }
    }

    private void again() {
      ShardMessage asked = message;
      if (!ended.get() && asked != null) {
        times++;
        actor.tell(asked);
        againLater();
      }
    }

    void end() {
      ended.set(true);
      Cancellable next = timer.get();
      if (next != null) { // else it is about to be set, and sees that this has ended
        next.cancel();
      }
    }
  }
}
