/**
 * The rules of coordination. Pure: node sessions, who runs which shard, blocks of tokens, and the
 * arithmetic of a session's time. Begin with {@link
 * io.holdfast.coordination.state.CoordinationState}.
 */
@NullMarked
package io.holdfast.coordination.state;

import org.jspecify.annotations.NullMarked;
