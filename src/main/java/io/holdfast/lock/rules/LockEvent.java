package io.holdfast.lock.rules;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import java.time.Duration;

/** A change of one lock. Each event leaves a legal state; a hand-over is one event. */
public sealed interface LockEvent {

  /** A free lock was granted. */
  record Granted(Holder holder) implements LockEvent {}

  /** The holder entered once more, and must now release this many times. */
  record Reentered(FencingToken token, int count) implements LockEvent {}

  /** The holder released once, and must release this many more times. */
  record SteppedOut(FencingToken token, int count) implements LockEvent {}

  /** This part of the grant's own ttl has surely passed since its last keepalive. */
  record Aged(FencingToken token, Duration aged) implements LockEvent {}

  /** A request entered the queue at its end. */
  record Queued(Waiter waiter) implements LockEvent {}

  /** A request left the queue without the lock. */
  record Left(RequestId request, LockCommand.LeaveCause cause) implements LockEvent {}

  /** The outcome of a request was recorded without another change: every later copy gets it. */
  record Barred(RequestId request) implements LockEvent {}

  /** The grant with this token ended and nobody waited. */
  record Freed(FencingToken token, GrantEnding ending) implements LockEvent {}

  /** The grant with this token ended and the first in the queue holds the lock. */
  record HandedOver(FencingToken token, GrantEnding ending, Holder next) implements LockEvent {}

  /**
   * Nobody used the free lock for a while, and its history is deleted. The next event is the first
   * of a new lock.
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
