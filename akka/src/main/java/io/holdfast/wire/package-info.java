/** The messages between the nodes about locks and leases, and what one of them is on the wire. */
@NullMarked
package io.holdfast.wire;

import org.jspecify.annotations.NullMarked;
