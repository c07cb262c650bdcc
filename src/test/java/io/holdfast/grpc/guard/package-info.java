/** Tests of what stands before the gRPC server. */
@NullMarked
package io.holdfast.grpc.guard;

import org.jspecify.annotations.NullMarked;
