/**
 * The formal specification, checked: {@code src/test/tla} says in TLA+ what Holdfast adds to plain
 * Raft, and {@link io.holdfast.specification.Checks} what must come of it.
 */
@NullMarked
package io.holdfast.specification;

import org.jspecify.annotations.NullMarked;
