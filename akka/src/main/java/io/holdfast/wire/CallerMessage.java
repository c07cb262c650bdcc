package io.holdfast.wire;

/**
 * A message to an actor that calls locks: an answer of a lock, or a message of its own. It gets
 * answers without an adapter in between.
 */
public interface CallerMessage {}
