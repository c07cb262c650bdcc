package io.holdfast.entity;

import io.holdfast.wire.ShardMessage;

/**
 * The logic of one actor of a shard, without Akka. Belongs to one actor.
 *
 * @param <S> the actor's state
 */
interface EntityLogic<S> {

  /** Returns the state before the first event. */
  S empty();

  /** Takes the recovered state. */
  void recovered(S state);

  /**
   * Handles a message.
   *
   * @param written the number of persisted decisions of the actor
   */
  Reaction<S> on(S state, long written, ShardMessage message);
}
