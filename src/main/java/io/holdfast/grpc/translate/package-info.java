/** Translates values of the domain into messages of the contract, and back. */
@NullMarked
package io.holdfast.grpc.translate;

import org.jspecify.annotations.NullMarked;
