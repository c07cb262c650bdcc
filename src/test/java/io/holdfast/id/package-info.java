/** Tests of ids. */
@NullMarked
package io.holdfast.id;

import org.jspecify.annotations.NullMarked;
