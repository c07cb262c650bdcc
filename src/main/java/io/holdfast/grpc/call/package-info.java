/** Unary calls, and the quotas of a node that its clients share. */
@NullMarked
package io.holdfast.grpc.call;

import org.jspecify.annotations.NullMarked;
