/**
 * The store of the locks' events: a journal that no two nodes can write. So far only its {@link
 * holdfast.journal.state}, pure.
 */
@NullMarked
package holdfast.journal;

import org.jspecify.annotations.NullMarked;
