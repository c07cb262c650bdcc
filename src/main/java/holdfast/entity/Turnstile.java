package holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The entrance of a lock's actor: while the lock recovers or writes, what comes waits here, and
 * then goes in one by one, in the order in which it came.
 *
 * <p>It would wait in Akka's stash else. But there each message that writes nothing has the next
 * one handled within its own call, and a few hundred of them overflow the thread's stack, which
 * ends the process.
 */
final class Turnstile extends BehaviorInterceptor<LockMessage, LockMessage> {

  /** So many may wait; one more is dropped, and whoever asked asks again. */
  static final int CAPACITY = 65_536;

  private final ActorRef<LockMessage> self;
  private final Queue<LockMessage> line = new ArrayDeque<>();
  private boolean isClosed = true;

  /** Whether the word to go on is on its way. */
  private boolean isCalled;

  /** One that is closed, as before a recovery. */
  Turnstile(ActorRef<LockMessage> self) {
    super(LockMessage.class);
    this.self = self;
  }

  void close() {
    isClosed = true;
  }

  void open() {
    isClosed = false;
    callNext();
  }

  @Override
  public Behavior<LockMessage> aroundReceive(
      TypedActorContext<LockMessage> context,
      LockMessage message,
      ReceiveTarget<LockMessage> target) {
    if (message instanceof LockMessage.GoOn) {
      isCalled = false;
      LockMessage next = isClosed ? null : line.poll();
      Behavior<LockMessage> after = next == null ? Behaviors.same() : target.apply(context, next);
      callNext();
      return after;
    } else if (isClosed || !line.isEmpty()) {
      if (line.size() < CAPACITY) {
        line.add(message);
      }
      return Behaviors.same();
    }
    return target.apply(context, message);
  }

  private void callNext() {
    if (!isClosed && !isCalled && !line.isEmpty()) {
      isCalled = true;
      self.tell(LockMessage.GoOn.INSTANCE);
    }
  }
}
