package io.holdfast.coordination.hosting;

import akka.actor.ExtendedActorSystem;
import akka.coordination.lease.LeaseSettings;
import akka.coordination.lease.javadsl.Lease;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.akka.AkkaCoordination;
import io.holdfast.id.ShardId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The lease that cluster sharding takes before it runs a shard: the ownership of the shard in the
 * log.
 *
 * <p>Its owner is the node's session, not the name that Akka gives: that one has no uid, so an
 * earlier process at the address has it too. Akka keeps one object for each shard and does not wait
 * for releases; they run in order nevertheless.
 */
public final class RaftLease extends Lease {

  /**
   * The beginning of the name that Akka gives to the lease of a shard; the shard's number follows.
   */
  private static final String SHARD_OF_LOCKS = "-shard-lock-";

  private final LeaseSettings settings;
  private final NodeCoordination coordination;
  private final ShardId shard;

  /** Made by Akka, by way of {@code lease-class}. */
  public RaftLease(LeaseSettings settings, ExtendedActorSystem system) {
    this.settings = settings;
    if (!(AkkaCoordination.of(system) instanceof NodeCoordination node)) {
      throw new IllegalStateException("only nodes run shards of locks, and this is none");
    }
    coordination = node;
    shard = shard(settings.leaseName(), system.name());
  }

  private static ShardId shard(String name, String system) {
    String prefix = system + SHARD_OF_LOCKS;
    if (!name.startsWith(prefix)) {
      throw new IllegalArgumentException(
          "lease [" + name + "] is not that of a shard of locks, [" + prefix + "<number>]");
    }
    return ShardId.of(Integer.parseInt(name.substring(prefix.length())));
  }

  @Override
  public LeaseSettings getSettings() {
    return settings;
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return acquire(reason -> {});
  }

  /** Tells of a loss only if the log says so: a node in doubt pauses, and does not stop. */
  @Override
  public CompletionStage<Boolean> acquire(Consumer<Optional<Throwable>> lost) {
    return coordination
        .shards()
        .acquire(
            shard,
            reason ->
                lost.accept(
                    Optional.of(
                        new IllegalStateException(
                            "shard [%d] is lost: %s".formatted(shard.value(), reason)))));
  }

  @Override
  public CompletionStage<Boolean> release() {
    return coordination.shards().release(shard);
  }

  @Override
  public boolean checkLease() {
    return coordination.shards().of(shard).isPresent() && coordination.session().mayAct();
  }
}
