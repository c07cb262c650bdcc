package io.holdfast.journal.state;

import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;

/** An id that is attached to a lease, and its shard. */
public record AttachedId(ShardId shard, PersistenceId persistenceId) {}
