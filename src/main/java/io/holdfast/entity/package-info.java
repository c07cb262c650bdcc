/**
 * Runs each lock and each shared lease as one event-sourced actor, sharded over the cluster. {@link
 * io.holdfast.entity.LockShards} is the typed entry point to them.
 */
@NullMarked
package io.holdfast.entity;

import org.jspecify.annotations.NullMarked;
