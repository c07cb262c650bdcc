package io.holdfast.lock;

import io.holdfast.id.LeaseLife;
import org.jspecify.annotations.Nullable;

/** The reason for which a lock refuses a command. A refusal changes nothing. */
public sealed interface Refusal {

  /** Another holder has the lock, and the request does not wait. */
  record Held(Holder holder) implements Refusal {}

  /** The queue is full. */
  record QueueFull(int max) implements Refusal {}

  /** A limit beyond the lock is reached. */
  record LimitReached(Limit limit, int max) implements Refusal {}

  /** A limit over many locks. */
  enum Limit {
    /** Recorded outcomes of named requests, of one client or one shard. */
    REQUEST_IDS,
    /** Keys on one lease. */
    KEYS_ON_LEASE,
    /** Commands that wait for the lock while it reads or writes. */
    WAITING_COMMANDS,
    /** The whole state of the cluster, in MiB. */
    STATE
  }

  /** The holder has entered as often as it may. */
  record CountFull(int max) implements Refusal {}

  /**
   * The token belongs to no current grant of this lock.
   *
   * @param holder the current holder; null if there is none
   */
  record NotHolder(FencingToken token, @Nullable Holder holder) implements Refusal {}

  /** The request does not wait here. */
  record NotWaiting(RequestId request) implements Refusal {}

  /** The request id was used before, for another request. */
  record RequestReused(RequestId request) implements Refusal {}

  /** The request came before, and its outcome is not kept any more. */
  record RequestForgotten(RequestId request) implements Refusal {}

  /** The lease that the request would live by has ended. */
  record LeaseGone(LeaseLife lease) implements Refusal {}

  /**
   * The request left the queue without the lock, or was cancelled before it came.
   *
   * @param position its last position; 0 if it had none
   * @param holder the current holder; null if there is none
   * @param repeated true if it had left before this command
   */
  record LeftQueue(
      RequestId request,
      LockCommand.LeaveCause cause,
      int position,
      @Nullable Holder holder,
      boolean repeated)
      implements Refusal {}

  /** The node has no fencing token now, so it grants nothing. */
  record NoToken() implements Refusal {}

  /** One result for each kind of refusal; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R held(Held held);

    R queueFull(QueueFull queueFull);

    R limitReached(LimitReached limitReached);

    R countFull(CountFull countFull);

    R notHolder(NotHolder notHolder);

    R notWaiting(NotWaiting notWaiting);

    R requestReused(RequestReused requestReused);

    R requestForgotten(RequestForgotten requestForgotten);

    R leaseGone(LeaseGone leaseGone);

    R leftQueue(LeftQueue leftQueue);

    R noToken(NoToken noToken);
  }

  /** Answers with the case of this refusal's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Held held) {
      return cases.held(held);
    } else if (this instanceof QueueFull queueFull) {
      return cases.queueFull(queueFull);
    } else if (this instanceof LimitReached limitReached) {
      return cases.limitReached(limitReached);
    } else if (this instanceof CountFull countFull) {
      return cases.countFull(countFull);
    } else if (this instanceof NotHolder notHolder) {
      return cases.notHolder(notHolder);
    } else if (this instanceof NotWaiting notWaiting) {
      return cases.notWaiting(notWaiting);
    } else if (this instanceof RequestReused requestReused) {
      return cases.requestReused(requestReused);
    } else if (this instanceof RequestForgotten requestForgotten) {
      return cases.requestForgotten(requestForgotten);
    } else if (this instanceof LeaseGone leaseGone) {
      return cases.leaseGone(leaseGone);
    } else if (this instanceof LeftQueue leftQueue) {
      return cases.leftQueue(leftQueue);
    } else if (this instanceof NoToken noToken) {
      return cases.noToken(noToken);
    }
    throw new AssertionError(this);
  }
}
