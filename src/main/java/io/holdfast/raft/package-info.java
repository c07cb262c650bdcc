/**
 * Consensus: the replicated log that everything else in a node stands on, seen through {@link
 * io.holdfast.raft.ConsensusLog}.
 */
@NullMarked
package io.holdfast.raft;

import org.jspecify.annotations.NullMarked;
