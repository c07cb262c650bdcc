package io.holdfast.entity;

import io.holdfast.coordination.Owners;
import java.util.List;
import java.util.function.Consumer;

/**
 * The signs of life of a process that owns no shards, in virtual time and without Akka: the real
 * rules by which they go to the keepers of the owners.
 */
public final class SimulatedSigns {

  /** What they need of their process. */
  public interface Node {

    /** Does something later, if the process lives then. */
    void later(long delayUs, Object what, Runnable action);

    /** Its monotonic clock. */
    long nanos();

    /** How long the next hand-over between two threads takes. */
    long delayUs();

    /** How long until another thread is free, and done. */
    long soonUs();

    int shards();

    /** Which node owns which shard, as far as this process has heard. */
    Owners owners();

    /** Brings signs of life to a node. */
    void send(String address, List<KeeperMessage.Item> items);
  }

  private final Node node;
  private final KeyShards<ShardMessage> names;
  private final OpenRenewals renewals;

  public SimulatedSigns(Node node) {
    this.node = node;
    names = new KeyShards<>(node.shards());
    renewals =
        new OpenRenewals(
            ShardKeeping.NONE,
            node.owners(),
            renewal -> SimulatedShards.shardOf(names, renewal),
            node::send);
    new SimulatedAgenda(node::later, node::soonUs)
        .every(OpenRenewals.LOOK_EVERY, () -> renewals.again(node.nanos()));
  }

  /** Which shard the actor of this name is in. */
  public int shardOf(String name) {
    return names.number(name);
  }

  /** Somebody in this process says that something lives. */
  public void renew(Renewal renewal, Consumer<Renewal.Answer> answered) {
    if (renewals.ask(new KeeperMessage.Ask(renewal, new ReplyTo<>(answered)), node.nanos())) {
      node.later(node.delayUs(), "signs of life go out", renewals::flush);
    }
  }

  /** A shard has come to another owner. */
  public void moved(int shard) {
    renewals.moved(shard, node.nanos());
  }

  /** A node has said what came of some. */
  public void answered(List<KeeperMessage.Answered> answers) {
    renewals.answered(answers);
  }
}
