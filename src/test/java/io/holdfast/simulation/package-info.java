/**
 * Whole clusters of pure cores under one scheduler: virtual time, a seeded source of chance, and
 * invariants that are checked after every event. A failure is replayed exactly by its seed.
 */
@NullMarked
package io.holdfast.simulation;

import org.jspecify.annotations.NullMarked;
