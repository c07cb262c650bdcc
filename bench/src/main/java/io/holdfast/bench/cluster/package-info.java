/**
 * Whole nodes as processes: killed, frozen, cut off from each other, with the times of fail-over.
 */
@NullMarked
package io.holdfast.bench.cluster;

import org.jspecify.annotations.NullMarked;
