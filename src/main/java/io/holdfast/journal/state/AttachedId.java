package io.holdfast.journal.state;

/** An id that is attached to a lease, and its shard. */
public record AttachedId(int shard, String persistenceId) {}
