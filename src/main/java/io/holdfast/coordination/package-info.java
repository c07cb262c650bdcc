/**
 * The agreement of the nodes: who lives, who owns which shard under which epoch, and which fencing
 * tokens are given out. The rules are in {@link holdfast.coordination.state}, pure; {@link
 * io.holdfast.coordination.NodeCoordination} is one node's part in them.
 */
@NullMarked
package io.holdfast.coordination;

import org.jspecify.annotations.NullMarked;
