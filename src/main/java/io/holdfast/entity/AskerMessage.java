package io.holdfast.entity;

/**
 * A message to an actor that asks locks itself: their answer, or a message of its own. So answers
 * reach it as they are, without an adapter that makes another message of each.
 */
public interface AskerMessage {}
