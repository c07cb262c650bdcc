/**
 * The rules of one lock, as pure values and functions. {@link io.holdfast.lock.LockMachine} decides
 * what a {@link io.holdfast.lock.LockCommand} does to a {@link io.holdfast.lock.LockState}; the
 * state applies the {@link io.holdfast.lock.LockEvent}s that come of it. Nothing here reads a
 * clock, draws a number, blocks or logs: ids, tokens and the passing of time all arrive as
 * arguments.
 */
@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
