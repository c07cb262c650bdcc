package holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Lets messages into an actor of a shard, and none while it recovers or writes. Commands to a lock
 * that came meanwhile go in together, to be decided and written together.
 *
 * <p>Akka's own stash would keep them too, but it hands over all that waits within one call for
 * each message that writes nothing, each inside the one before: some hundred reads or repeated
 * requests that came during one write would end the process by a stack overflow.
 */
final class Turnstile extends BehaviorInterceptor<ShardMessage, ShardMessage> {

  /** How many messages may wait; one more is dropped, and whoever sent it asks again. */
  static final int MAX_WAITING = 65_536;

  /** How many commands go in together. */
  static final int MAX_TOGETHER = 64;

  private final Deque<ShardMessage> waiting = new ArrayDeque<>();
  private final Runnable askForNext;
  private boolean closed = true;
  private boolean asked;

  /**
   * Closed, until the actor has recovered.
   *
   * @param askForNext sends {@link ShardMessage.Lifecycle#NEXT} to the actor
   */
  Turnstile(Runnable askForNext) {
    super(ShardMessage.class);
    this.askForNext = askForNext;
  }

  /** The actor writes: nobody comes in. */
  void close() {
    closed = true;
  }

  /** The actor is ready for the next ones. */
  void open() {
    closed = false;
    callNext();
  }

  @Override
  public Behavior<ShardMessage> aroundReceive(
      TypedActorContext<ShardMessage> context,
      ShardMessage message,
      ReceiveTarget<ShardMessage> to) {
    if (message == ShardMessage.Lifecycle.GONE) {
      return to.apply(context, message);
    } else if (message == ShardMessage.Lifecycle.NEXT) {
      asked = false;
    } else if (!closed && waiting.isEmpty()) {
      return to.apply(context, message);
    } else if (message == ShardMessage.Lifecycle.STOP) {
      waiting.addFirst(message); // another node waits for the shard; who waits here asks again
    } else if (waiting.size() < MAX_WAITING) {
      waiting.add(message);
    }
    if (closed || waiting.isEmpty()) {
      return Behaviors.same();
    }
    ShardMessage next = next();
    callNext();
    return to.apply(context, next);
  }

  private ShardMessage next() {
    ShardMessage first = waiting.remove();
    if (!isCommand(first) || waiting.isEmpty() || !isCommand(waiting.peek())) {
      return first;
    }
    List<LockMessage> together = new ArrayList<>();
    together.add((LockMessage) first);
    while (together.size() < MAX_TOGETHER && !waiting.isEmpty() && isCommand(waiting.peek())) {
      together.add((LockMessage) waiting.remove());
    }
    return new LockMessage.Together(together);
  }

  private static boolean isCommand(ShardMessage message) {
    return message instanceof LockMessage;
  }

  private void callNext() {
    if (!asked && !waiting.isEmpty()) {
      asked = true;
      askForNext.run();
    }
  }
}
