package holdfast.cluster;

import static holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import akka.remote.testkit.MultiNodeSpec;
import holdfast.config.LockSettings;
import holdfast.coordination.StartTokens;
import holdfast.entity.LockShards;
import holdfast.lock.ClientId;
import holdfast.lock.HolderId;
import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import holdfast.lock.Outcome;
import holdfast.lock.Patience;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import scala.jdk.javaapi.CollectionConverters;

/** Three JVMs form one cluster, and a lock that one of them runs excludes the clients of all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ClusterFormation extends MultiNodeSpec {

  private static final Duration WITHIN = Duration.ofSeconds(30);
  private static final LockKey KEY = new LockKey("orders/42");

  private final ThreeNodes nodes;
  private final ActorSystem<Void> system = Adapter.toTyped(system());

  ClusterFormation() {
    this(new ThreeNodes());
  }

  private ClusterFormation(ThreeNodes nodes) {
    super(nodes);
    this.nodes = nodes;
  }

  @Override
  public int initialParticipants() {
    return 3;
  }

  @BeforeAll
  void begin() {
    multiNodeSpecBeforeAll();
  }

  @AfterAll
  void end() {
    multiNodeSpecAfterAll();
  }

  @Test
  @Order(1)
  void three_jvms_form_one_cluster() {
    Cluster cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(node(nodes.first).address()));
    eventually(
        "three members are up",
        WITHIN,
        () ->
            StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                .filter(member -> member.status().equals(MemberStatus.up()))
                .count(),
        up -> up == 3);
    barrier("formed");
  }

  @Test
  @Order(2)
  void a_lock_excludes_the_clients_of_all_nodes() throws Exception {
    LockSettings settings = new LockSettings(48, 10, Duration.ofSeconds(60), WITHIN);
    LockShards locks =
        LockShards.start(system, settings, StandAlone.open(system, settings, new StartTokens(1)));
    barrier("locks");
    Outcome outcome = acquire(locks, myself().name());
    barrier("all asked");
    String holder =
        locks
            .read(KEY)
            .toCompletableFuture()
            .get(WITHIN.toSeconds(), TimeUnit.SECONDS)
            .holders()
            .get(0)
            .id()
            .value();
    assertTrue(List.of("first", "second", "third").contains(holder), holder);
    assertEquals(holder.equals(myself().name()), outcome instanceof Outcome.Acquired);
    barrier("all looked");
  }

  private static Outcome acquire(LockShards locks, String name) throws Exception {
    return locks
        .handle(
            KEY,
            new LockCommand.Acquire(
                new RequestId(ClientId.NAMELESS, name),
                new HolderId(ClientId.NAMELESS, name),
                new Ttl(60_000),
                Patience.NONE))
        .toCompletableFuture()
        .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  private void barrier(String name) {
    enterBarrier(CollectionConverters.asScala(List.of(name)).toSeq());
  }
}
