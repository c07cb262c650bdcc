/** Translates values of the locks to messages of the contract, and back. */
@NullMarked
package io.holdfast.grpc.translate;

import org.jspecify.annotations.NullMarked;
