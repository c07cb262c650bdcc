package io.holdfast.wire;

/** A message to an actor of a shard: a lock's or a lease's. */
public sealed interface ShardMessage permits LockMessage, LeaseMessage, ShardMessage.Lifecycle {

  /** Returns the copy to resend so many milliseconds after the first sending. */
  default ShardMessage after(long millis) {
    return this;
  }

  /**
   * A message of an actor of a shard to itself, or of its shard. Only {@link #WAKE} leaves the
   * node.
   */
  enum Lifecycle implements ShardMessage {
    /** Asks for the next messages of the actor's batcher. */
    NEXT,
    /** The shard asks the actor to stop. */
    STOP,
    /** The lock is deleted: stop. */
    GONE,
    /** The actor was asked to stop long ago: stop now. */
    OVERDUE,
    /** Starts the actor, and with it the shard. */
    WAKE
  }
}
