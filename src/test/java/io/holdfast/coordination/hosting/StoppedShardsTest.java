package io.holdfast.coordination.hosting;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.Cluster;
import akka.cluster.sharding.ShardCoordinator;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.ShardingMessageExtractor;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.dispatch.Futures;
import akka.testkit.javadsl.TestKit;
import io.holdfast.coordination.akka.AgreedSystems;
import io.holdfast.coordination.akka.AgreedSystems.Place;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.IndexedSeq;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;

/** A shard that is on its way from a node that ends is served by another one soon. */
@Tag("slow")
class StoppedShardsTest {

  private static final String SHARD = "1";

  private final AgreedSystems systems = new AgreedSystems(2);
  private final Moves moves = new Moves();
  private CountDownLatch thaws = new CountDownLatch(0);

  @AfterEach
  void stop() {
    thaws.countDown();
    systems.close();
  }

  @Test
  void a_shard_of_an_ending_node_is_served_by_another() {
    systems.enter(0, 1);
    Place coordinates = systems.place(0);
    Place owns = systems.place(1);
    ActorRef way = region(coordinates.system);
    region(owns.system);
    moves.home = owns.cluster().selfAddress().toString();
    assertEquals(moves.home, servedBy(coordinates, way));
    thaws = owns.freeze();
    moves.wanted.set(true);
    eventually("the move begins", AgreedSystems.WITHIN, () -> moves.wanted.get(), is -> !is);
    moves.home = "";
    coordinates.expire(owns);
    assertEquals(coordinates.cluster().selfAddress().toString(), servedBy(coordinates, way));
  }

  private static String servedBy(Place asks, ActorRef way) {
    TestKit probe = new TestKit(asks.system);
    return eventually(
        "somebody serves the shard",
        AgreedSystems.WITHIN,
        () -> {
          way.tell(new ShardingEnvelope<>("one", probe.getRef()), ActorRef.noSender());
          Object answer = probe.receiveOne(Duration.ofMillis(100));
          return answer == null ? "" : answer.toString();
        },
        node -> !node.isEmpty());
  }

  private ActorRef region(ActorSystem system) {
    String self = Cluster.get(system).selfAddress().toString();
    EntityTypeKey<ActorRef> type = EntityTypeKey.create(ActorRef.class, "lock");
    return Adapter.toClassic(
        ClusterSharding.get(Adapter.toTyped(system))
            .init(
                Entity.of(
                        type,
                        context ->
                            Behaviors.receive(ActorRef.class)
                                .onMessage(
                                    ActorRef.class,
                                    asker -> {
                                      asker.tell(self, ActorRef.noSender());
                                      return Behaviors.same();
                                    })
                                .build())
                    .withMessageExtractor(new OneShard())
                    .withAllocationStrategy(moves)));
  }

  private static final class OneShard
      extends ShardingMessageExtractor<ShardingEnvelope<ActorRef>, ActorRef> {
    @Override
    public String entityId(ShardingEnvelope<ActorRef> message) {
      return message.entityId();
    }

    @Override
    public String shardId(String entityId) {
      return SHARD;
    }

    @Override
    public ActorRef unwrapMessage(ShardingEnvelope<ActorRef> message) {
      return message.message();
    }
  }

  /** Has the shard run where the test says, and moves it when the test wants that. */
  private static final class Moves extends ShardCoordinator.AbstractShardAllocationStrategy {
    private final AtomicBoolean wanted = new AtomicBoolean();
    private volatile String home = "";

    @Override
    public Future<ActorRef> allocateShard(
        ActorRef requester, String shard, Map<ActorRef, IndexedSeq<String>> current) {
      return Futures.successful(
          current.keySet().stream()
              .filter(region -> region.path().address().toString().equals(home))
              .findFirst()
              .orElseGet(() -> here(current.keySet())));
    }

    private static ActorRef here(Set<ActorRef> regions) {
      return regions.stream()
          .filter(region -> region.path().address().hasLocalScope())
          .findFirst()
          .orElseThrow();
    }

    @Override
    public Future<Set<String>> rebalance(
        Map<ActorRef, IndexedSeq<String>> current, Set<String> inProgress) {
      boolean isOwned =
          current.values().stream()
              .anyMatch(shards -> CollectionConverters.asJava(shards).contains(SHARD));
      boolean begins = isOwned && wanted.compareAndSet(true, false);
      return Futures.successful(begins ? Set.of(SHARD) : Set.of());
    }
  }
}
