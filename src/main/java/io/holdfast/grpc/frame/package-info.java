/** The frames of calls: checks and limits before messages are decoded. */
@NullMarked
package io.holdfast.grpc.frame;

import org.jspecify.annotations.NullMarked;
