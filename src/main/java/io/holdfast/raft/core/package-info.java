/**
 * The consensus core: Raft as a pure state machine.
 *
 * <p>{@link io.holdfast.raft.core.RaftCore} takes inputs (the time, a message, a proposal, a read,
 * word that something is durable) and gathers its reaction until {@link
 * io.holdfast.raft.core.Ready} is drawn from it. The caller owes four duties for each {@code
 * Ready}, in this order:
 *
 * <ol>
 *   <li>make its entries visible through {@link io.holdfast.raft.core.RaftLogView}, and send {@link
 *       io.holdfast.raft.core.Ready#sendNow()};
 *   <li>make hard state, entries and snapshot pieces durable, in the order of the {@code Ready}s;
 *   <li>then send {@link io.holdfast.raft.core.Ready#sendWhenDurable()} and tell the core {@link
 *       io.holdfast.raft.core.RaftCore#persisted};
 *   <li>restore {@link io.holdfast.raft.core.Ready#restore()}, apply {@link
 *       io.holdfast.raft.core.Ready#committed()}, then release outcomes and reads.
 * </ol>
 *
 * <p>The room knows no I/O, thread, clock or logger. Time and randomness arrive as values, so the
 * same inputs always give the same reaction.
 */
@NullMarked
package io.holdfast.raft.core;

import org.jspecify.annotations.NullMarked;
