package io.holdfast.keeper;

import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseLife;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;

/** An item with a deadline in a shard. */
public sealed interface ShardDeadline {

  /** The ttl of a grant with its own keepalives. */
  record Grant(LockKey key, FencingToken token) implements ShardDeadline {}

  /** The next record of the age of such a grant. */
  record Age(LockKey key, FencingToken token) implements ShardDeadline {}

  /** The ttl of a waiter with its own keepalives. */
  record WaiterTtl(LockKey key, RequestId request) implements ShardDeadline {}

  /** The timeout of a waiter, which no keepalive prolongs. */
  record WaiterTimeout(LockKey key, RequestId request) implements ShardDeadline {}

  /** The ttl of a shared lease. */
  record Lease(LeaseLife life) implements ShardDeadline {}

  /** The holders and waiters of a lock whose lease has ended. */
  record Orphans(LockKey key) implements ShardDeadline {}

  /** Returns the deadline of a waiter that this command ends. */
  static ShardDeadline of(LockKey key, LockCommand.Leave leave) {
    return leave.cause() == LockCommand.LeaveCause.TIMED_OUT
        ? new WaiterTimeout(key, leave.request())
        : new WaiterTtl(key, leave.request());
  }

  /** Returns the name of the actor that ends it. */
  default String actor() {
    if (this instanceof Grant grant) {
      return grant.key().value();
    } else if (this instanceof Age age) {
      return age.key().value();
    } else if (this instanceof WaiterTtl living) {
      return living.key().value();
    } else if (this instanceof WaiterTimeout patient) {
      return patient.key().value();
    } else if (this instanceof Orphans orphans) {
      return orphans.key().value();
    } else if (this instanceof Lease lease) {
      return EntityIds.entityOfLease(lease.life().id());
    }
    throw new AssertionError(this);
  }

  /** Returns the message to that actor when it is due, from the keeper with this epoch. */
  default ShardMessage message(Epoch epoch) {
    if (this instanceof Grant grant) {
      return new LockMessage.Due(new LockCommand.Expire(grant.token()), epoch);
    } else if (this instanceof Age age) {
      return new LockMessage.DueAge(age.token());
    } else if (this instanceof WaiterTtl living) {
      return new LockMessage.Due(
          new LockCommand.Leave(living.request(), LockCommand.LeaveCause.LEASE_ENDED), epoch);
    } else if (this instanceof WaiterTimeout patient) {
      return new LockMessage.Due(
          new LockCommand.Leave(patient.request(), LockCommand.LeaveCause.TIMED_OUT), epoch);
    } else if (this instanceof Orphans) {
      return new LockMessage.Due(new LockCommand.RemoveOrphans(), epoch);
    } else if (this instanceof Lease lease) {
      return new LeaseMessage.Due(new LeaseCommand.Expire(lease.life().incarnation()), epoch);
    }
    throw new AssertionError(this);
  }
}
