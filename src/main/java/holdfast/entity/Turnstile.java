package holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lets messages into a lock's actor one by one, and none while it recovers or writes.
 *
 * <p>Akka's own stash would do so too, but it hands over all that waits within one call for each
 * message that writes nothing, each inside the one before: some hundred reads or repeated requests
 * that came during one write would end the process by a stack overflow.
 */
final class Turnstile extends BehaviorInterceptor<LockMessage, LockMessage> {

  /** How many messages may wait; one more is dropped, and whoever sent it asks again. */
  static final int MAX_WAITING = 65_536;

  private final Deque<LockMessage> waiting = new ArrayDeque<>();
  private final Runnable askForNext;
  private boolean closed = true;
  private boolean asked;

  /**
   * Closed, until the actor has recovered.
   *
   * @param askForNext sends {@link LockMessage.Next} to the actor
   */
  Turnstile(Runnable askForNext) {
    super(LockMessage.class);
    this.askForNext = askForNext;
  }

  /** The actor writes: nobody comes in. */
  void close() {
    closed = true;
  }

  /** The actor is ready for the next one. */
  void open() {
    closed = false;
    callNext();
  }

  @Override
  public Behavior<LockMessage> aroundReceive(
      TypedActorContext<LockMessage> context, LockMessage message, ReceiveTarget<LockMessage> to) {
    if (message instanceof LockMessage.Next) {
      asked = false;
    } else if (!closed && waiting.isEmpty()) {
      return to.apply(context, message);
    } else if (message.equals(LockMessage.Stop.INSTANCE)) {
      waiting.addFirst(message); // another node waits for the shard; who waits here asks again
    } else if (waiting.size() < MAX_WAITING) {
      waiting.add(message);
    }
    if (closed || waiting.isEmpty()) {
      return Behaviors.same();
    }
    LockMessage next = waiting.remove();
    callNext();
    return to.apply(context, next);
  }

  private void callNext() {
    if (!asked && !waiting.isEmpty()) {
      asked = true;
      askForNext.run();
    }
  }
}
