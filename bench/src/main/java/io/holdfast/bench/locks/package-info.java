/** Measures the throughput of locks, and what a lock costs: over session streams and by calls. */
@NullMarked
package io.holdfast.bench.locks;

import org.jspecify.annotations.NullMarked;
