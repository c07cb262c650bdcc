package io.holdfast.grpc.session;

import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockKey;
import io.holdfast.v1.Answer;
import io.holdfast.v1.LockRequest;
import io.holdfast.wire.CallerMessage;
import io.holdfast.wire.Renewal;
import org.jspecify.annotations.Nullable;

/** A message to the actor of one stream of a session, besides the answers of locks. */
sealed interface SessionMessage extends CallerMessage
    permits SessionFlow.Event, Sessions.Notice, SessionMessage.Own {

  /** What it is told of what it has asked for. */
  sealed interface Own extends SessionMessage {}

  /** The complete answer to an operation that no lock was asked for. */
  record Done(Answer.Builder answer) implements Own {}

  /** By what a holder will live, or why that is not known. */
  record Found(
      LockKey key,
      long number,
      LockRequest request,
      @Nullable Lifetime life,
      @Nullable Throwable failure)
      implements Own {}

  /** What a keepalive of the session came to; null if nobody could say so. */
  record KeptAlive(long number, Renewal.@Nullable Answer answer) implements Own {}

  /** The session is open, or why it is not. */
  record Opened(SessionOpening.@Nullable Opened opened, @Nullable Throwable failure)
      implements Own {}

  /** What the end of the session came to; null if nobody could say so. */
  record Revoked(@Nullable LeaseOutcome outcome) implements Own {}

  /** The passing of time. */
  enum Tick implements Own {
    /** What else had come is read. */
    FLUSH,
    /** Some time has passed. */
    AGAIN
  }
}
