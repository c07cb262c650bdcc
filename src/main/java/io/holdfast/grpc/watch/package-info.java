/** The streams of watches. */
@NullMarked
package io.holdfast.grpc.watch;

import org.jspecify.annotations.NullMarked;
