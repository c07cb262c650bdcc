package io.holdfast.entity;

/** What an actor of a shard is sent: a lock's or a lease's. */
public sealed interface ShardMessage permits LockMessage, LeaseMessage, ShardMessage.Lifecycle {

  /** The same, for one who sends it again so many milliseconds after it was sent first. */
  default ShardMessage after(long millis) {
    return this;
  }

  /** What every actor of a shard is told by itself and by its shard. Never leaves the node. */
  enum Lifecycle implements ShardMessage {
    /** Let those in who wait at the {@link Turnstile}. */
    NEXT,
    /** Stop, please: the shard's word. */
    STOP,
    /** Stop: nothing is left of it. */
    GONE,
    /** Stop, as it is: it was asked to long ago. */
    OVERDUE,
    /** Be there: to run something of a shard is to run the shard. */
    WAKE
  }
}
