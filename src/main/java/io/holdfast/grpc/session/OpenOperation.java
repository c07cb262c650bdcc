package io.holdfast.grpc.session;

import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.v1.Operation;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ResendSchedule;

/** An operation of a session that a lock was asked for, and that has no final answer. */
final class OpenOperation {

  private static final long NANOS_PER_MILLI = 1_000_000;

  final LockKey key;
  final LockMessage.Handle message;
  final ResendSchedule resending;
  private final long sentAt;

  /** Whether it stands in line. */
  boolean waits;

  OpenOperation(LockKey key, LockMessage.Handle message, long now) {
    this.key = key;
    this.message = message;
    sentAt = now;
    resending = new ResendSchedule(now);
  }

  /** It stands in line. Who lives by a lease is kept alive by that, and else by being asked. */
  void inLine(long now) {
    waits = true;
    if (message.command() instanceof LockCommand.Acquire acquire
        && acquire.life().lease().isPresent()) {
      resending.waitsAlive(now);
    } else {
      resending.waits(now);
    }
  }

  /** What is left to ask for, when it is sent again. */
  LockMessage.Handle again(long now) {
    return message.after((now - sentAt) / NANOS_PER_MILLI);
  }

  /** Whether it becomes one: reads and signs of life do not, whatever their numbers. */
  static boolean isOne(Operation operation) {
    return switch (operation.getOperationCase()) {
      case LOCK, UNLOCK, CANCEL -> true;
      case RENEW, VALIDATE, GET_LOCK, OPERATION_NOT_SET -> false;
    };
  }

  /** Whether this may be the same operation, sent again; the lock looks closer. */
  boolean isLike(LockKey otherKey, LockCommand other) {
    return key.equals(otherKey) && message.command().getClass().equals(other.getClass());
  }
}
