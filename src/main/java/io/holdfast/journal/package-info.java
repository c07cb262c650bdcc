/**
 * What is kept of the locks: a journal that no two nodes can write, and its bytes, which are read
 * for ever.
 *
 * <p>{@link holdfast.journal.state} judges each append, pure. {@link
 * io.holdfast.journal.JournalStore} is the port to it; {@link io.holdfast.journal.RaftJournalStore}
 * writes through the replicated log.
 */
@NullMarked
package io.holdfast.journal;

import org.jspecify.annotations.NullMarked;
