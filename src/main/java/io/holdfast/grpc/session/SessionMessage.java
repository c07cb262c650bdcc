package io.holdfast.grpc.session;

import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockKey;
import io.holdfast.v1.Answer;
import io.holdfast.v1.LockRequest;
import io.holdfast.wire.CallerMessage;
import io.holdfast.wire.Renewal;
import org.jspecify.annotations.Nullable;

/** A message to the actor of one session stream, apart from the answers of locks. */
sealed interface SessionMessage extends CallerMessage
    permits SessionFlow.Event, SessionRegistry.SessionNotice, SessionMessage.NodeReply {

  /** A result that the actor has requested. */
  sealed interface NodeReply extends SessionMessage {}

  /** The complete answer to a read or a renewal. */
  record OperationDone(Answer.Builder answer) implements NodeReply {}

  /** The lifetime of a future holder, or the reason why it is unknown. */
  record LeaseFound(
      LockKey key,
      long number,
      LockRequest request,
      @Nullable Lifetime life,
      @Nullable Throwable failure)
      implements NodeReply {}

  /** The result of a keepalive of the session; null if it is unknown. */
  record KeepAliveResult(long number, Renewal.@Nullable Answer answer) implements NodeReply {}

  /** The opened session, or the reason why it could not be opened. */
  record OpenResult(SessionOpener.@Nullable OpenedSession opened, @Nullable Throwable failure)
      implements NodeReply {}

  /** The result of the request to end the session; null if it is unknown. */
  record RevokeResult(@Nullable LeaseOutcome outcome) implements NodeReply {}

  /** A message that the actor sends to itself. */
  enum Tick implements NodeReply {
    /** The messages that had come before it are handled. */
    FLUSH,
    /** The timer has fired. */
    AGAIN
  }
}
