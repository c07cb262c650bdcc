/** Tests of the attacks, and of those that judge them. */
@NullMarked
package io.holdfast.bench.floods;

import org.jspecify.annotations.NullMarked;
