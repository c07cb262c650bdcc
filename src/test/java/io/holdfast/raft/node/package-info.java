/** Tests of a member at work: its way into a cluster, and whole groups over real links. */
@NullMarked
package io.holdfast.raft.node;

import org.jspecify.annotations.NullMarked;
