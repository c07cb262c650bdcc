/** The frames of a call: bounds before anything is decoded. */
@NullMarked
package io.holdfast.grpc.frame;

import org.jspecify.annotations.NullMarked;
