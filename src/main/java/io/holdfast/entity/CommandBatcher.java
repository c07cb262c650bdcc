package io.holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.Behaviors;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queues the messages to an actor of a shard while it recovers or writes. Commands to a lock that
 * queued up are handed over as one batch, to be decided and written together.
 *
 * <p>Akka's own stash is no replacement. It unstashes messages that write nothing recursively: some
 * hundred repeated requests during one write would overflow the stack.
 */
public final class CommandBatcher extends BehaviorInterceptor<ShardMessage, ShardMessage> {

  /** The largest number of commands in a batch. */
  static final int MAX_BATCH = 64;

  private final int maxWaiting;
  private final Deque<ShardMessage> waiting = new ArrayDeque<>();
  private final Runnable askForNext;
  private boolean closed = true;
  private boolean asked;

  /** The message that the actor is handling, until it opens again. */
  private ShardMessage current = ShardMessage.Lifecycle.NEXT;

  /**
   * The requests that are queued or in the actor. Computed at a refusal, and valid until a message
   * moves.
   */
  private @Nullable Set<Asked> pending;

  private record Asked(Class<?> what, RequestId by) {}

  /**
   * Creates a closed batcher, for an actor that has not recovered yet.
   *
   * @param maxWaiting the largest number of queued messages; one more is refused
   * @param askForNext sends {@link ShardMessage.Lifecycle#NEXT} to the actor
   */
  public CommandBatcher(int maxWaiting, Runnable askForNext) {
    super(ShardMessage.class);
    this.maxWaiting = maxWaiting;
    this.askForNext = askForNext;
  }

  /** Holds messages back while the actor writes. */
  void close() {
    closed = true;
  }

  /** Hands over messages again: the actor is ready. */
  void open() {
    closed = false;
    current = ShardMessage.Lifecycle.NEXT;
    pending = null;
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

  /** Takes a message. Returns the message to hand over now; null for none. */
  @Nullable ShardMessage admit(ShardMessage message) {
    if (message == ShardMessage.Lifecycle.GONE) {
      return message;
    } else if (message == ShardMessage.Lifecycle.NEXT) {
      asked = false;
    } else if (!closed && waiting.isEmpty()) {
      current = message;
      return message;
    } else if (message == ShardMessage.Lifecycle.STOP) {
      waiting.addFirst(message); // another node waits for the shard; queued callers ask again
    } else if (message instanceof LockMessage.CommandBatch batch) {
      batch.commands().forEach(this::queue);
    } else {
      queue(message);
    }
    if (closed || waiting.isEmpty()) {
      return null;
    }
    ShardMessage next = next();
    current = next;
    pending = null;
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
    List<LockMessage> batch = new ArrayList<>();
    batch.add((LockMessage) first);
    while (batch.size() < MAX_BATCH && !waiting.isEmpty() && isCommand(waiting.peek())) {
      batch.add((LockMessage) waiting.remove());
    }
    return new LockMessage.CommandBatch(batch);
  }

  /*
   * A copy of a queued request is not refused, since a refusal says that it has no effect. The
   * earlier copy is answered. Due items are reported again anyway.
   */
  private void refuse(ShardMessage message) {
    Optional<Asked> asked = asked(message);
    if (asked.isEmpty() || pending().contains(asked.get())) {
      return;
    } else if (message instanceof LockMessage.Handle handle) {
      handle
          .replyTo()
          .tell(
              new LockAnswer(
                  handle.number(),
                  Revision.NONE,
                  new Outcome.Refused(
                      new Refusal.LimitReached(Refusal.Limit.WAITING_COMMANDS, maxWaiting)),
                  /* kept= */ !(handle.command() instanceof LockCommand.Acquire)));
    } else if (message instanceof LeaseMessage.Handle handle) {
      handle
          .replyTo()
          .tell(
              new LeaseAnswer(
                  handle.number(),
                  Revision.NONE,
                  new LeaseOutcome.Refused(LeaseOutcome.Reason.OVERLOADED)));
    }
  }

  /* Computed once for many: refusals may come by the thousand while no message moves. */
  private Set<Asked> pending() {
    Set<Asked> all = pending;
    if (all == null) {
      all = new HashSet<>();
      gather(current, all);
      for (ShardMessage message : waiting) {
        gather(message, all);
      }
      pending = all;
    }
    return all;
  }

  private static void gather(ShardMessage message, Set<Asked> all) {
    if (message instanceof LockMessage.CommandBatch batch) {
      batch.commands().forEach(command -> asked(command).ifPresent(all::add));
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
