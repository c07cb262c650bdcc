/**
 * The simulation of Raft, coordination and the journal together: nodes that keep their sessions,
 * own shards, and append for locks, under every fault that can be thought of.
 */
@NullMarked
package io.holdfast.simulation.journal;

import org.jspecify.annotations.NullMarked;
