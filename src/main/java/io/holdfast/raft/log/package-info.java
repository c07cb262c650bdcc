/**
 * The write-ahead log and the snapshots of one member, on disk.
 *
 * <p>{@link io.holdfast.raft.log.WriteAheadLog} makes a {@link io.holdfast.raft.core.Ready} durable
 * and gives everything back at the next start; {@link io.holdfast.raft.log.SnapshotStore} keeps the
 * newest snapshot beside it. Both stand on {@link io.holdfast.raft.log.Disk}, so that tests can cut
 * the power at any write. The format is described in {@code docs/raft-log-format.md}.
 *
 * <p>The room has no threads: what blocks on the disk blocks its caller.
 */
@NullMarked
package io.holdfast.raft.log;

import org.jspecify.annotations.NullMarked;
