/** Tests of what the replicated log offers. */
@NullMarked
package holdfast.raft;

import org.jspecify.annotations.NullMarked;
