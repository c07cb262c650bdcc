/** Tests of bytes. */
@NullMarked
package io.holdfast.bytes;

import org.jspecify.annotations.NullMarked;
