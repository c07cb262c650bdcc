package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import java.util.List;

/** What the desk of a node's keepers is sent. */
public sealed interface KeeperMessage {

  /** Pass this sign of life on to whoever keeps it. Comes from this node. */
  record Ask(Renewal renewal, ActorRef<Renewal.Answer> replyTo) implements KeeperMessage {}

  /** What nodes say to each other. */
  sealed interface BetweenNodes extends KeeperMessage {}

  /** Signs of life from a node, for shards that this one owns. */
  record Renewals(List<Item> items, ActorRef<KeeperMessage> replyTo) implements BetweenNodes {
    public Renewals {
      items = List.copyOf(items);
    }
  }

  /** What came of them. One that this node cannot judge now has no answer. */
  record Renewed(List<Answered> answers) implements BetweenNodes {
    public Renewed {
      answers = List.copyOf(answers);
    }
  }

  /** One sign of life, under the number that the asking node gave it. */
  record Item(long number, int shard, Renewal renewal) {}

  /** What came of one. */
  record Answered(long number, Renewal.Answer answer) {}

  /** The shard has come to another owner. Never leaves the node. */
  record Moved(int shard) implements KeeperMessage {}

  /** Send what was asked for since. Never leaves the node. */
  enum Tick implements KeeperMessage {
    /** What was asked for just now. */
    FLUSH,
    /** What has no answer yet, again. */
    AGAIN
  }
}
