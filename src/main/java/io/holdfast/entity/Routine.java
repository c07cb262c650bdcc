package io.holdfast.entity;

/**
 * The work of one actor of a shard, without Akka: what it does about each message. Belongs to one
 * actor.
 *
 * @param <S> the actor's state
 */
interface Routine<S> {

  /** The state of what nothing is known of. */
  S empty();

  /** The state is this, after recovery. */
  void recovered(S state);

  /**
   * Says what to do about a message.
   *
   * @param written how many decisions of the actor are persisted: the number of the last one
   */
  Reaction<S> on(S state, long written, ShardMessage message);
}
