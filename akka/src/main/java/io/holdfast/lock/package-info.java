/**
 * The values of one lock: keys, holders, waiters, commands and their outcomes, as pure values. Each
 * checks its own bounds. The rules of a lock, which only nodes have, are in {@code
 * io.holdfast.lock.rules}.
 */
@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
