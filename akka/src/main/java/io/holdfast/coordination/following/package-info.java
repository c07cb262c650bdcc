/**
 * Services that follow the log: a node sends them the entries of coordination that it applies, and
 * proposes their commands about their own sessions to the log. The node's side is in {@code
 * io.holdfast.coordination.hosting}.
 */
@NullMarked
package io.holdfast.coordination.following;

import org.jspecify.annotations.NullMarked;
