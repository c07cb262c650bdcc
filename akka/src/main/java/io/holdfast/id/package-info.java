/** The ids and numbers that several rooms share, as values. */
@NullMarked
package io.holdfast.id;

import org.jspecify.annotations.NullMarked;
