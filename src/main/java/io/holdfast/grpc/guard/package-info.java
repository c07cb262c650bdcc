/**
 * What stands before the gRPC server: it looks at each frame of a connection, and ends those that
 * ask for more work than a client has need of.
 */
@NullMarked
package io.holdfast.grpc.guard;

import org.jspecify.annotations.NullMarked;
