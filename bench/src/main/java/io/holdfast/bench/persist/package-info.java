/**
 * Measures Akka Persistence over the journal of a real cluster of three processes on loopback.
 *
 * <p>{@link io.holdfast.bench.persist.Persist} is the command; it starts each node as a process of
 * its own, {@link io.holdfast.bench.persist.NodeProcess}, and speaks with it over its standard
 * streams.
 */
@NullMarked
package io.holdfast.bench.persist;

import org.jspecify.annotations.NullMarked;
