/**
 * The locks and leases of all nodes: places the actors by shard, starts those that have something
 * to do, and asks them. {@link io.holdfast.sharding.LockShards} is the entry point for every edge.
 */
@NullMarked
package io.holdfast.sharding;

import org.jspecify.annotations.NullMarked;
