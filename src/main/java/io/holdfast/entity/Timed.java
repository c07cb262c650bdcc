package io.holdfast.entity;

import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;

/** What ends when nobody does anything for too long, or is to be written down by then. */
sealed interface Timed {

  /** A grant that lives by its own signs of life. */
  record Grant(LockKey key, FencingToken token) implements Timed {}

  /** The record of how much of such a grant's ttl has passed. */
  record Age(LockKey key, FencingToken token) implements Timed {}

  /** A waiter that lives by its own signs of life. */
  record Living(LockKey key, RequestId request) implements Timed {}

  /** The patience of a waiter, which no sign of life prolongs. */
  record Patient(LockKey key, RequestId request) implements Timed {}

  /** A shared lease. */
  record Lease(long id, long incarnation) implements Timed {}

  /** What hung on a lease that has ended. */
  record Orphans(LockKey key) implements Timed {}

  /** The deadline of a waiter that this command ends. */
  static Timed of(LockKey key, LockCommand.Leave leave) {
    return leave.cause() == LockCommand.LeaveCause.TIMED_OUT
        ? new Patient(key, leave.request())
        : new Living(key, leave.request());
  }

  /** What the actor that ends it is called. */
  default String actor() {
    if (this instanceof Grant grant) {
      return grant.key().value();
    } else if (this instanceof Age age) {
      return age.key().value();
    } else if (this instanceof Living living) {
      return living.key().value();
    } else if (this instanceof Patient patient) {
      return patient.key().value();
    } else if (this instanceof Orphans orphans) {
      return orphans.key().value();
    } else if (this instanceof Lease lease) {
      return Ids.entityOfLease(lease.id());
    }
    throw new AssertionError(this);
  }

  /** What that actor is told when it is due, by the keeper of the ownership with this epoch. */
  default ShardMessage message(long epoch) {
    if (this instanceof Grant grant) {
      return new LockMessage.Due(new LockCommand.Expire(grant.token()), epoch);
    } else if (this instanceof Age age) {
      return new LockMessage.DueAge(age.token());
    } else if (this instanceof Living living) {
      return new LockMessage.Due(
          new LockCommand.Leave(living.request(), LockCommand.LeaveCause.LEASE_ENDED), epoch);
    } else if (this instanceof Patient patient) {
      return new LockMessage.Due(
          new LockCommand.Leave(patient.request(), LockCommand.LeaveCause.TIMED_OUT), epoch);
    } else if (this instanceof Orphans) {
      return new LockMessage.Due(new LockCommand.Sweep(), epoch);
    } else if (this instanceof Lease lease) {
      return new LeaseMessage.Due(new LeaseCommand.Expire(lease.incarnation()), epoch);
    }
    throw new AssertionError(this);
  }
}
