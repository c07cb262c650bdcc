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
 * Asks a lock again for as long as it does not answer: what is sent to a node that has gone, or to
 * a shard between two owners, is lost and not kept.
 */
final class Insistence {

  /** Soon at first, since most moves of a shard are short; then as for one who waits in line. */
  private static final Duration FIRST = Duration.ofMillis(250);

  private static final int SOON = 40;
  private static final Duration LATER = Duration.ofSeconds(1);

  /** What became of a question. */
  record Answer<T>(T content, boolean askedAgain) {}

  private final ActorSystem<?> system;

  Insistence(ActorSystem<?> system) {
    this.system = system;
  }

  /** Asks until an answer comes; fails with a {@code TimeoutException} if none does. */
  <T> CompletionStage<Answer<T>> ask(
      EntityRef<LockMessage> lock, Function<ActorRef<T>, LockMessage> question, Duration within) {
    Asking asking = new Asking(lock);
    CompletionStage<T> answer = lock.ask(replyTo -> asking.first(question.apply(replyTo)), within);
    asking.againLater();
    return answer
        .whenComplete((content, failure) -> asking.end())
        .thenApply(content -> new Answer<>(content, asking.askedAgain));
  }

  private final class Asking {
    private final EntityRef<LockMessage> lock;
    private volatile @Nullable LockMessage message;
    private final AtomicReference<@Nullable Cancellable> timer = new AtomicReference<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean askedAgain;
    private int times;

    Asking(EntityRef<LockMessage> lock) {
      this.lock = lock;
    }

    LockMessage first(LockMessage asked) {
      message = asked;
      return asked;
    }

    void againLater() {
      Duration pause = times < SOON ? FIRST : LATER;
      Cancellable next =
          system.scheduler().scheduleOnce(pause, this::again, system.executionContext());
      timer.set(next);
      if (ended.get()) {
        next.cancel();
      }
    }

    private void again() {
      LockMessage asked = message;
      if (!ended.get() && asked != null) {
        times++;
        askedAgain = true;
        lock.tell(asked);
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
