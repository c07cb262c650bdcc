/**
 * The protection of the gRPC server: limits on connections, HTTP/2 frames and memory. It closes
 * connections that cause more work than a client needs.
 */
@NullMarked
package io.holdfast.grpc.guard;

import org.jspecify.annotations.NullMarked;
