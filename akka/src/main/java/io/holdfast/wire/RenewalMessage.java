package io.holdfast.wire;

import akka.actor.typed.ActorRef;
import io.holdfast.id.ShardId;
import java.util.List;

/** A message to the actor of a node that exchanges renewals with other nodes. */
public sealed interface RenewalMessage {

  /** Asks for a renewal, from this node. */
  record Ask(Renewal renewal, ActorRef<Renewal.Answer> replyTo) implements RenewalMessage {}

  /** A message between two nodes. */
  sealed interface BetweenNodes extends RenewalMessage {}

  /** Renewals from a node, for shards that this one owns. */
  record Renewals(List<Item> items, ActorRef<RenewalMessage> replyTo) implements BetweenNodes {
    public Renewals {
      items = List.copyOf(items);
    }
  }

  /** The answers to renewals. A renewal that this node cannot judge now has none. */
  record Renewed(List<Answered> answers) implements BetweenNodes {
    public Renewed {
      answers = List.copyOf(answers);
    }
  }

  /**
   * One renewal.
   *
   * @param number given by the asking node
   * @param ageMs the time since the asking node received it: a renewal that is resent is no younger
   */
  record Item(long number, ShardId shard, long ageMs, Renewal renewal) {
    public Item {
      if (ageMs < 0) {
        throw new IllegalArgumentException("negative age " + ageMs);
      }
    }
  }

  /** The answer to one renewal. */
  record Answered(long number, Renewal.Answer answer) {}

  /** The shard has a new owner. Never leaves the node. */
  record Moved(ShardId shard) implements RenewalMessage {}

  /** A time to send. Never leaves the node. */
  enum Tick implements RenewalMessage {
    /** Sends the new renewals. */
    FLUSH,
    /** Resends the renewals without an answer. */
    AGAIN
  }
}
