/**
 * Measures and torments a Raft group of real processes on loopback.
 *
 * <p>{@link holdfast.bench.raft.Raft} is the command; it starts each member as a process of its
 * own, {@link holdfast.bench.raft.MemberProcess}, and speaks with it over its standard streams.
 */
@NullMarked
package holdfast.bench.raft;

import org.jspecify.annotations.NullMarked;
