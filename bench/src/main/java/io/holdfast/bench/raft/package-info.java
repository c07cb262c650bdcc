/**
 * Measures and torments a Raft group of real processes on loopback.
 *
 * <p>{@link io.holdfast.bench.raft.Raft} is the command; it starts each member as a process of its
 * own, {@link io.holdfast.bench.raft.MemberProcess}, and speaks with it over its standard streams.
 */
@NullMarked
package io.holdfast.bench.raft;

import org.jspecify.annotations.NullMarked;
