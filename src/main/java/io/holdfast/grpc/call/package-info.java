/** The calls that have one answer, and the shares of the node that a client may take. */
@NullMarked
package io.holdfast.grpc.call;

import org.jspecify.annotations.NullMarked;
