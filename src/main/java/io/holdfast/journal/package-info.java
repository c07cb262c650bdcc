/**
 * The events and records of locks: a journal that only one node at a time can write, and its
 * formats, which every later version reads.
 *
 * <p>{@link io.holdfast.journal.state} judges each append and is pure. {@link
 * io.holdfast.journal.JournalStore} is the port to it; {@link io.holdfast.journal.RaftJournalStore}
 * writes through the replicated log.
 */
@NullMarked
package io.holdfast.journal;

import org.jspecify.annotations.NullMarked;
