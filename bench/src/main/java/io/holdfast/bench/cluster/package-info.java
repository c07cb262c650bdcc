/** Whole nodes as processes: killed, frozen, cut off from each other, and what it took. */
@NullMarked
package io.holdfast.bench.cluster;

import org.jspecify.annotations.NullMarked;
