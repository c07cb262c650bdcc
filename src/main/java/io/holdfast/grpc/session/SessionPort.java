package io.holdfast.grpc.session;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.id.LeaseLife;
import io.holdfast.lock.LockKey;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a {@link SessionStreamCore} on its node. No method returns a result of an
 * operation: the result comes to the core later, as the {@link SessionMessage} that the method
 * names.
 */
interface SessionPort {

  /** Throws a refusal if the node may not serve requests. */
  void requireServing();

  /** True if the node is shutting down. */
  boolean isLeaving();

  /** Opens or resumes the session: {@link SessionMessage.OpenResult}. */
  void open(SessionOpen request);

  /** Registers this stream for the session. An older stream of this node is notified. */
  void join(LeaseLife session);

  /** Sends a batch of commands to a lock: a {@link LockAnswer} for each. */
  void tell(LockKey key, List<LockMessage.Handle> messages);

  /** Sends a command again. */
  void tell(LockKey key, LockMessage.Handle message);

  /** Looks up a shared lease: {@link SessionMessage.LeaseFound}. */
  void find(LockKey key, long number, LockRequest request);

  /** Renews a grant or a waiter: {@link SessionMessage.OperationDone}. */
  void renew(LockKey key, long number, RenewRequest request, Renewal renewal);

  /** Reads a lock: {@link SessionMessage.OperationDone}. */
  void get(long number, GetLockRequest request);

  /** Validates a fencing token: {@link SessionMessage.OperationDone}. */
  void validate(long number, ValidateRequest request);

  /** Keeps the session alive: {@link SessionMessage.KeepAliveResult}. */
  void keepAlive(long number, LeaseLife session);

  /** Ends the session: {@link SessionMessage.RevokeResult}. */
  void revoke(LeaseLife session);

  /** Enqueues {@link SessionMessage.Tick#FLUSH} behind all messages that have come by now. */
  void flushSoon();

  /** Sends the client a frame. Its demand for another is reported to the core. */
  void give(SessionResponse frame);

  /** Releases the quota of the last frame: its operations count by themselves from now on. */
  void begun();

  /** Requests the client's next frame. */
  void take();

  /** Ends the stream, normally or with this error. */
  void end(@Nullable StatusRuntimeException error);

  /**
   * Returns the limit of open operations that leaves no room for one more after {@code more}
   * others; null if there is room.
   */
  Quota.@Nullable Full fullOfOpen(int more);

  /**
   * True if the node can start one more command after {@code more} others.
   *
   * @param goesFirst true for holders and waiters, who have a reserve
   */
  boolean hasRoom(int more, boolean goesFirst);

  /** True if the node has room for more unread answers. */
  boolean hasRoomForAnswers();

  /** Changes the count of unread bytes by {@code more}, which may be negative. */
  void countUnread(int more);

  /** True if the node has room for more operations that wait to start. */
  boolean hasRoomToWait();

  /** Changes the count of bytes that wait to start by {@code more}, which may be negative. */
  void countWaiting(int more);

  /**
   * Changes the counts of the connection's operations. Both changes may be negative.
   *
   * @param underWay the change of those that do not wait in a queue
   */
  void count(int open, int underWay);
}
