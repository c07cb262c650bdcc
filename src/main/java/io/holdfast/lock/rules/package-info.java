/**
 * The rules of one lock, as pure functions. {@link io.holdfast.lock.rules.LockMachine} decides what
 * a {@link io.holdfast.lock.LockCommand} does to a {@link io.holdfast.lock.rules.LockState}; the
 * state applies the {@link io.holdfast.lock.rules.LockEvent}s that come of it. Nothing here reads a
 * clock, draws a number, blocks or logs: ids, tokens and the passing of time all arrive as
 * arguments.
 */
@NullMarked
package io.holdfast.lock.rules;

import org.jspecify.annotations.NullMarked;
