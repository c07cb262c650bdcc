/**
 * The formal specification, checked: {@code src/test/tla} says in TLA+ what Holdfast adds to plain
 * Raft, and {@link holdfast.specification.Checks} what must come of it.
 */
@NullMarked
package holdfast.specification;

import org.jspecify.annotations.NullMarked;
