/** The public gRPC protocol: translates between the wire and the locks, and decides nothing. */
@NullMarked
package io.holdfast.grpc;

import org.jspecify.annotations.NullMarked;
