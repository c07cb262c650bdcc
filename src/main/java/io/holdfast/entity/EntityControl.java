package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.RecipientRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import io.holdfast.wire.ShardMessage;

/** The control of an actor of a shard by its logic. */
interface EntityControl {

  /** Asks the shard to stop it. */
  void passivate();

  /** Forwards a message to the next actor. The shard keeps it until then. */
  void passOn(ShardMessage message);

  /**
   * Returns the control of an Akka actor.
   *
   * @param shard the actor of its shard
   * @param entity the reference of the entity for everyone
   */
  static EntityControl of(
      ActorRef<ShardMessage> self,
      ActorRef<ClusterSharding.ShardCommand> shard,
      RecipientRef<ShardMessage> entity) {
    return new EntityControl() {
      @Override
      public void passivate() {
        shard.tell(new ClusterSharding.Passivate<>(self));
      }

      @Override
      public void passOn(ShardMessage message) {
        entity.tell(message);
      }
    };
  }
}
