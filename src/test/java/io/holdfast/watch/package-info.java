/** Tests of what clients are told of changes. */
@NullMarked
package io.holdfast.watch;

import org.jspecify.annotations.NullMarked;
