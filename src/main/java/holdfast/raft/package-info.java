/**
 * Consensus: the replicated log that everything else in a node stands on, seen through {@link
 * holdfast.raft.ConsensusLog}.
 */
@NullMarked
package holdfast.raft;

import org.jspecify.annotations.NullMarked;
