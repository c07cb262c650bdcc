/**
 * The agreement of the nodes: who lives, who owns which shard under which epoch, and which fencing
 * tokens are given out. The rules are in {@link io.holdfast.coordination.state}, pure, and {@link
 * io.holdfast.coordination.member} is the part of any member in them. {@link
 * io.holdfast.coordination.NodeCoordination} adds that of a node: shards, and the duties of a
 * leader.
 */
@NullMarked
package io.holdfast.coordination;

import org.jspecify.annotations.NullMarked;
