package io.holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.Behaviors;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets messages into an actor of a shard, and none while it recovers or writes. Commands to a lock
 * that came meanwhile go in together, to be decided and written together.
 *
 * <p>Akka's own stash would keep them too, but it hands over all that waits within one call for
 * each message that writes nothing, each inside the one before: some hundred reads or repeated
 * requests that came during one write would end the process by a stack overflow.
 */
final class Turnstile extends BehaviorInterceptor<ShardMessage, ShardMessage> {

  /** How many commands go in together. */
  static final int MAX_TOGETHER = 64;

  private final int maxWaiting;
  private final Deque<ShardMessage> waiting = new ArrayDeque<>();
  private final Runnable askForNext;
  private boolean closed = true;
  private boolean asked;

  /** Who went in last, and is inside until it opens again. */
  private ShardMessage inside = ShardMessage.Lifecycle.NEXT;

  /**
   * What is asked by those who are inside or wait, as soon as one is refused and until one moves.
   */
  private @Nullable Set<Asked> here;

  private record Asked(Class<?> what, RequestId by) {}

  /**
   * Closed, until the actor has recovered.
   *
   * @param maxWaiting how many messages may wait; one more is refused
   * @param askForNext sends {@link ShardMessage.Lifecycle#NEXT} to the actor
   */
  Turnstile(int maxWaiting, Runnable askForNext) {
    super(ShardMessage.class);
    this.maxWaiting = maxWaiting;
    this.askForNext = askForNext;
  }

  /** The actor writes: nobody comes in. */
  void close() {
    closed = true;
  }

  /** The actor is ready for the next ones. */
  void open() {
    closed = false;
    inside = ShardMessage.Lifecycle.NEXT;
    here = null;
    callNext();
  }

  @Override
  public Behavior<ShardMessage> aroundReceive(
      TypedActorContext<ShardMessage> context,
      ShardMessage message,
      ReceiveTarget<ShardMessage> to) {
    ShardMessage goesIn = admit(message);
    return goesIn == null ? Behaviors.same() : to.apply(context, goesIn);
  }

  /** A message comes: what goes in now; null if nothing does. */
  @Nullable ShardMessage admit(ShardMessage message) {
    if (message == ShardMessage.Lifecycle.GONE) {
      return message;
    } else if (message == ShardMessage.Lifecycle.NEXT) {
      asked = false;
    } else if (!closed && waiting.isEmpty()) {
      inside = message;
      return message;
    } else if (message == ShardMessage.Lifecycle.STOP) {
      waiting.addFirst(message); // another node waits for the shard; who waits here asks again
    } else if (message instanceof LockMessage.Together together) {
      together.commands().forEach(this::queue);
    } else {
      queue(message);
    }
    if (closed || waiting.isEmpty()) {
      return null;
    }
    ShardMessage next = next();
    inside = next;
    here = null;
    callNext();
    return next;
  }

  private void queue(ShardMessage message) {
    if (waiting.size() < maxWaiting) {
      waiting.add(message);
    } else {
      refuse(message);
    }
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

  /*
   * A request that came before is not refused: that it has no effect would not be true. Its earlier
   * sending is answered. What is due is told again anyway.
   */
  private void refuse(ShardMessage message) {
    Optional<Asked> asked = asked(message);
    if (asked.isEmpty() || here().contains(asked.get())) {
      return;
    } else if (message instanceof LockMessage.Handle handle) {
      handle
          .replyTo()
          .tell(
              new LockAnswer(
                  handle.number(),
                  /* revision= */ 0,
                  new Outcome.Refused(
                      new Refusal.LimitReached(Refusal.Limit.WAITING_COMMANDS, maxWaiting)),
                  /* kept= */ !(handle.command() instanceof LockCommand.Acquire)));
    } else if (message instanceof LeaseMessage.Handle handle) {
      handle
          .replyTo()
          .tell(
              new LeaseAnswer(
                  handle.number(),
                  /* revision= */ 0,
                  new LeaseOutcome.Refused(LeaseOutcome.Reason.OVERLOADED)));
    }
  }

  /* Gathered once for many: those who are refused come by the thousand, while nobody moves. */
  private Set<Asked> here() {
    Set<Asked> all = here;
    if (all == null) {
      all = new HashSet<>();
      gather(inside, all);
      for (ShardMessage message : waiting) {
        gather(message, all);
      }
      here = all;
    }
    return all;
  }

  private static void gather(ShardMessage message, Set<Asked> all) {
    if (message instanceof LockMessage.Together together) {
      together.commands().forEach(command -> asked(command).ifPresent(all::add));
    } else {
      asked(message).ifPresent(all::add);
    }
  }

  private static Optional<Asked> asked(ShardMessage message) {
    if (message instanceof LockMessage.Handle handle) {
      return handle.command().id().map(id -> new Asked(handle.command().getClass(), id));
    } else if (message instanceof LeaseMessage.Handle handle) {
      return handle.command().id().map(id -> new Asked(handle.command().getClass(), id));
    }
    return Optional.empty();
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
