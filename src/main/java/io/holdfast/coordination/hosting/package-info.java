/**
 * The parts of coordination that run in Akka at nodes only: the lease of a shard, the place of the
 * log's leader, the coordinator of the shards, and the actor by which services follow the log.
 */
@NullMarked
package io.holdfast.coordination.hosting;

import org.jspecify.annotations.NullMarked;
