/**
 * The locks and leases of the shards that this node owns: creates their actors, restarts those that
 * failed, and reads what the node has applied of them.
 */
@NullMarked
package io.holdfast.hosting;

import org.jspecify.annotations.NullMarked;
