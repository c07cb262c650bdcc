/**
 * The rules of one lock, as pure values and functions. {@link holdfast.lock.LockMachine} decides
 * what a {@link holdfast.lock.LockCommand} does to a {@link holdfast.lock.LockState}; the state
 * applies the {@link holdfast.lock.LockEvent}s that come of it. Nothing here reads a clock, draws a
 * number, blocks or logs: ids, tokens and the passing of time all arrive as arguments.
 */
@NullMarked
package holdfast.lock;

import org.jspecify.annotations.NullMarked;
