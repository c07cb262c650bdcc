/**
 * The way of any member to the locks and leases of all nodes: finds their shards, asks their
 * actors, and renews. {@link io.holdfast.sharding.LockShards} is the entry point for every edge.
 */
@NullMarked
package io.holdfast.sharding;

import org.jspecify.annotations.NullMarked;
