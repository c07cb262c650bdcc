package io.holdfast.journal.state;

/** An id that hangs on a lease, and the shard that it is in. */
public record AttachedId(int shard, String persistenceId) {}
