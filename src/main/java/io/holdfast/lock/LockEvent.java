package io.holdfast.lock;

import java.time.Duration;

/** What has happened to one lock. Each event leaves a legal state; a hand-over is one event. */
public sealed interface LockEvent {

  /** A free lock was granted. */
  record Granted(Holder holder) implements LockEvent {}

  /** The holder entered once more: it must release this many times now. */
  record Reentered(FencingToken token, int count) implements LockEvent {}

  /** The holder released once, and must release this many times more. */
  record SteppedOut(FencingToken token, int count) implements LockEvent {}

  /** So much of the grant's own ttl has surely passed since the last sign of life. */
  record Aged(FencingToken token, Duration aged) implements LockEvent {}

  /** A request took its place at the end of the line. */
  record Queued(Waiter waiter) implements LockEvent {}

  /** A request left the line without the lock. */
  record Left(RequestId request, LockCommand.LeaveCause cause) implements LockEvent {}

  /** A request was cancelled that has not come: it will get nothing when it does. */
  record Barred(RequestId request) implements LockEvent {}

  /** The grant of this token ended and nobody waited. */
  record Freed(FencingToken token, Ending ending) implements LockEvent {}

  /** The grant of this token ended and the first in line holds the lock. */
  record HandedOver(FencingToken token, Ending ending, Holder next) implements LockEvent {}

  /**
   * Nobody has wanted the free lock for a while: nothing of it needs to be kept. What happens to it
   * later happens to a new one.
   */
  record Forgotten() implements LockEvent {}

  /** One result for each kind of event; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R granted(Granted granted);

    R reentered(Reentered reentered);

    R steppedOut(SteppedOut steppedOut);

    R aged(Aged aged);

    R queued(Queued queued);

    R left(Left left);

    R barred(Barred barred);

    R freed(Freed freed);

    R handedOver(HandedOver handedOver);

    R forgotten(Forgotten forgotten);
  }

  /** Answers with the case of this event's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Granted granted) {
      return cases.granted(granted);
    } else if (this instanceof Reentered reentered) {
      return cases.reentered(reentered);
    } else if (this instanceof SteppedOut steppedOut) {
      return cases.steppedOut(steppedOut);
    } else if (this instanceof Aged aged) {
      return cases.aged(aged);
    } else if (this instanceof Queued queued) {
      return cases.queued(queued);
    } else if (this instanceof Left left) {
      return cases.left(left);
    } else if (this instanceof Barred barred) {
      return cases.barred(barred);
    } else if (this instanceof Freed freed) {
      return cases.freed(freed);
    } else if (this instanceof HandedOver handedOver) {
      return cases.handedOver(handedOver);
    } else if (this instanceof Forgotten forgotten) {
      return cases.forgotten(forgotten);
    }
    throw new AssertionError(this);
  }
}
