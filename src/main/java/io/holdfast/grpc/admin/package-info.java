/** The gRPC service for operators. */
@NullMarked
package io.holdfast.grpc.admin;

import org.jspecify.annotations.NullMarked;
