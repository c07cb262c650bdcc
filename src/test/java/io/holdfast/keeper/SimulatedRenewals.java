package io.holdfast.keeper;

import io.holdfast.coordination.member.Owners;
import io.holdfast.id.ShardId;
import io.holdfast.sharding.KeyShards;
import io.holdfast.sharding.LocalKeepers;
import io.holdfast.sharding.OpenRenewals;
import io.holdfast.sharding.SimulatedShards;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ReplyTo;
import io.holdfast.wire.ShardMessage;
import java.util.List;
import java.util.function.Consumer;

/**
 * The renewals of a process that owns no shards, in virtual time and without Akka, with the real
 * {@link OpenRenewals}.
 */
public final class SimulatedRenewals {

  /** The services of the process. */
  public interface Node {

    /** Runs an action later, if the process lives then. */
    void later(long delayUs, Object what, Runnable action);

    /** Returns the monotonic clock. */
    long nanos();

    /** Returns the delay of the next hand-over between two threads. */
    long delayUs();

    /** Returns the time until another thread has run a task. */
    long soonUs();

    int shards();

    /** Returns the owners of shards, as far as this process has heard. */
    Owners owners();

    /** Sends renewals to a node. */
    void send(String address, List<RenewalMessage.Item> items);
  }

  private final Node node;
  private final KeyShards<ShardMessage> names;
  private final OpenRenewals renewals;

  public SimulatedRenewals(Node node) {
    this.node = node;
    names = new KeyShards<>(node.shards());
    renewals =
        new OpenRenewals(
            LocalKeepers.NONE,
            node.owners(),
            renewal -> SimulatedShards.shardOf(names, renewal),
            node::send);
    new SimulatedScheduler(node::later, node::soonUs)
        .every(OpenRenewals.LOOK_EVERY, () -> renewals.again(node.nanos()));
  }

  /** Returns the shard of an actor. */
  public ShardId shardOf(String name) {
    return names.of(name);
  }

  /** Sends a renewal of this process. */
  public void renew(Renewal renewal, Consumer<Renewal.Answer> answered) {
    if (renewals.ask(new RenewalMessage.Ask(renewal, new ReplyTo<>(answered)), node.nanos())) {
      node.later(node.delayUs(), "renewals are sent", () -> renewals.flush(node.nanos()));
    }
  }

  /** Notes the new owner of a shard. */
  public void moved(ShardId shard) {
    renewals.moved(shard, node.nanos());
  }

  /** Takes answers of a node. */
  public void answered(List<RenewalMessage.Answered> answers) {
    renewals.answered(answers);
  }
}
