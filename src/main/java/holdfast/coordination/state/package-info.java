/**
 * The rules of coordination. Pure: node sessions, who runs which shard, blocks of tokens, and the
 * arithmetic of a session's time. Begin with {@link holdfast.coordination.state.CoordinationState}.
 */
@NullMarked
package holdfast.coordination.state;

import org.jspecify.annotations.NullMarked;
