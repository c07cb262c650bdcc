/**
 * One member at work: the thread that drives its core, its log and its links.
 *
 * <p>{@link io.holdfast.raft.node.RaftNode} is the {@link io.holdfast.raft.ConsensusLog} of a
 * process. On its one thread everything happens in turn: wait for the network and for callers, tell
 * the core, send, write, sync, apply, answer. Only the bytes of a snapshot, the zeros of the log's
 * next segment, and the syncs of a slow disk, are left to threads of their own.
 */
@NullMarked
package io.holdfast.raft.node;

import org.jspecify.annotations.NullMarked;
