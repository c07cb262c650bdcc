/**
 * The journal as a state machine: what is appended, how each append is judged, and what can be read
 * back. {@link holdfast.journal.state.JournalState} applies {@link
 * holdfast.journal.state.JournalCommand}s in the order of the log, and gives {@link
 * holdfast.journal.state.JournalVersion}s to readers. Nothing here reads a clock, draws a number,
 * blocks or logs: the same commands give the same state on every member.
 */
@NullMarked
package holdfast.journal.state;

import org.jspecify.annotations.NullMarked;
