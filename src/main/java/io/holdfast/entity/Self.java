package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.RecipientRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;

/** An actor of a shard, as what it does sees it. */
interface Self {

  /** Asks the shard to stop it. */
  void passivate();

  /** Leaves a message to its next actor: the shard keeps it until then. */
  void passOn(ShardMessage message);

  /**
   * An actor of Akka.
   *
   * @param shard where it runs
   * @param door the way to it for everyone
   */
  static Self of(
      ActorRef<ShardMessage> self,
      ActorRef<ClusterSharding.ShardCommand> shard,
      RecipientRef<ShardMessage> door) {
    return new Self() {
      @Override
      public void passivate() {
        shard.tell(new ClusterSharding.Passivate<>(self));
      }

      @Override
      public void passOn(ShardMessage message) {
        door.tell(message);
      }
    };
  }
}
