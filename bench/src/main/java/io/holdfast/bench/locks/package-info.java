/** Measures the throughput and cost of locks: over session streams and by calls. */
@NullMarked
package io.holdfast.bench.locks;

import org.jspecify.annotations.NullMarked;
