/**
 * Bytes as a value, and the input and output of binary formats. Pure: sees nothing but the JDK.
 *
 * <p>{@link io.holdfast.bytes.BytesOutput} writes numbers, texts and bytes, and {@link
 * io.holdfast.bytes.BytesInput} reads them.
 */
@NullMarked
package io.holdfast.bytes;

import org.jspecify.annotations.NullMarked;
