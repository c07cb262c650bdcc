/** Tests of the benchmark of locks. */
@NullMarked
package io.holdfast.bench.locks;

import org.jspecify.annotations.NullMarked;
