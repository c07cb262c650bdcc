/** Tests of what the replicated log offers. */
@NullMarked
package io.holdfast.raft;

import org.jspecify.annotations.NullMarked;
