/**
 * The pure part of a node's own coordination: its duties as leader of the log, and the tokens of
 * the shards that it owns. Begin with {@link io.holdfast.coordination.node.LeaderDuties}.
 */
@NullMarked
package io.holdfast.coordination.node;

import org.jspecify.annotations.NullMarked;
