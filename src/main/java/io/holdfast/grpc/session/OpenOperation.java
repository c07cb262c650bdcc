package io.holdfast.grpc.session;

import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.v1.Operation;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ResendSchedule;

/** An operation of a session that was sent to a lock and has no final answer. */
final class OpenOperation {

  private static final long NANOS_PER_MILLI = 1_000_000;

  final LockKey key;
  final LockMessage.Handle message;
  final ResendSchedule resending;
  private final long sentAt;

  /** True while it waits in the lock's queue. */
  boolean waits;

  OpenOperation(LockKey key, LockMessage.Handle message, long now) {
    this.key = key;
    this.message = message;
    sentAt = now;
    resending = new ResendSchedule(now);
  }

  /**
   * Marks it as queued. A waiter on a lease lives as long as the lease; any other waiter lives as
   * long as its request is sent again.
   */
  void queued(long now) {
    waits = true;
    if (message.command() instanceof LockCommand.Acquire acquire
        && acquire.life().lease().isPresent()) {
      resending.waitsAlive(now);
    } else {
      resending.waits(now);
    }
  }

  /** Returns the message to send again, with the wait timeout that is left. */
  LockMessage.Handle resent(long now) {
    return message.after((now - sentAt) / NANOS_PER_MILLI);
  }

  /** True if the operation goes to a lock. Reads and renewals do not. */
  static boolean goesToLock(Operation operation) {
    return switch (operation.getOperationCase()) {
      case LOCK, UNLOCK, CANCEL -> true;
      case RENEW, VALIDATE, GET_LOCK, OPERATION_NOT_SET -> false;
    };
  }

  /** True if this may be a copy of the same operation. The lock compares the content. */
  boolean mayBeCopyOf(LockKey otherKey, LockCommand other) {
    return key.equals(otherKey) && message.command().getClass().equals(other.getClass());
  }
}
