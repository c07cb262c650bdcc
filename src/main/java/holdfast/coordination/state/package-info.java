/**
 * What the nodes agree on, as rules. Pure: node sessions, who runs which shard, blocks of tokens,
 * and the arithmetic of a session's time. Begin with {@link
 * holdfast.coordination.state.CoordinationState}.
 */
@NullMarked
package holdfast.coordination.state;

import org.jspecify.annotations.NullMarked;
