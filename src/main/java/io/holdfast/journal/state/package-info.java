/**
 * The journal as a state machine: what is appended, how each append is judged, and what can be read
 * back. {@link io.holdfast.journal.state.JournalState} applies {@link
 * io.holdfast.journal.state.Append}s in the order of the log, and gives {@link
 * io.holdfast.journal.state.JournalVersion}s to readers. Nothing here reads a clock, draws a
 * number, blocks or logs: the same commands give the same state on every member.
 */
@NullMarked
package io.holdfast.journal.state;

import org.jspecify.annotations.NullMarked;
