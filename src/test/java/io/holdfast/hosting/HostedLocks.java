package io.holdfast.hosting;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.ConfigFactory;
import io.holdfast.fixtures.UsualSettings;
import io.holdfast.id.Epoch;
import io.holdfast.journal.JournalAccess;
import io.holdfast.journal.JournalStore;
import io.holdfast.keeper.PermanentShard;
import io.holdfast.sharding.LockShards;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A cluster of one node that owns all shards, over a given journal. */
public final class HostedLocks implements AutoCloseable {

  public static final int SHARDS = 2;

  private final ActorTestKit kit;
  private final LockShards locks;

  private HostedLocks(ActorTestKit kit, LockShards locks) {
    this.kit = kit;
    this.locks = locks;
  }

  /**
   * Starts the node.
   *
   * @param config more settings of it
   * @param beforeShards runs when ends of leases are heard, before a shard can run
   */
  public static HostedLocks start(
      String config, JournalStore store, Consumer<ActorSystem<?>> beforeShards) {
    ActorTestKit kit =
        ActorTestKit.create(
            ConfigFactory.parseString(
                    """
                    akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
                    akka.cluster.downing-provider-class = ""
                    akka.cluster.sharding.use-lease = ""
                    """
                        + config)
                .withFallback(ConfigFactory.defaultApplication())
                .withFallback(ConfigFactory.defaultReference())
                .resolve());
    Cluster cluster = Cluster.get(kit.system());
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    var settings = UsualSettings.locks("shards = " + SHARDS);
    JournalAccess.get(Adapter.toClassic(kit.system()))
        .open(store, LockShards.shardOf(settings.shards()));
    AtomicLong tokens = new AtomicLong();
    LockShards locks =
        LockHosting.start(
            kit.system(),
            settings,
            shard -> Optional.of(new PermanentShard(shard, new Epoch(1), tokens)),
            shard -> Optional.empty(),
            store,
            listener -> beforeShards.accept(kit.system()));
    return new HostedLocks(kit, locks);
  }

  public LockShards locks() {
    return locks;
  }

  ActorTestKit kit() {
    return kit;
  }

  @Override
  public void close() {
    kit.shutdownTestKit();
  }
}
