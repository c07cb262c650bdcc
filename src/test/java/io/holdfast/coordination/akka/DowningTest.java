package io.holdfast.coordination.akka;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.cluster.ClusterEvent;
import akka.cluster.MemberStatus;
import akka.remote.artery.QuarantinedEvent;
import akka.testkit.javadsl.TestKit;
import io.holdfast.coordination.akka.AgreedSystems.Place;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests how nodes are downed when their sessions end. Akka's own failure detector is as good as
 * off.
 */
@Tag("slow")
class DowningTest {

  private final AgreedSystems systems = new AgreedSystems(3);
  private final Place one = systems.place(0);
  private final Place other = systems.place(2);

  @AfterEach
  void stop() {
    systems.close();
  }

  @Test
  void a_frozen_node_is_quarantined_and_removed_before_akka_does() {
    systems.enter(0, 1, 2);
    TestKit told = new TestKit(one.system);
    one.system.eventStream().subscribe(told.getRef(), QuarantinedEvent.class);
    systems.log.cutOff(other.id);
    CountDownLatch thaws = other.freeze();
    try {
      one.expire(other);
      QuarantinedEvent event = told.expectMsgClass(AgreedSystems.WITHIN, QuarantinedEvent.class);
      assertEquals(other.cluster().selfUniqueAddress(), cluster(event));
      systems.awaitGone(0, 2);
      systems.awaitGone(1, 2);
    } finally {
      thaws.countDown();
    }
    // It hears of it from Akka alone: by the log it knows nothing.
    systems.awaitEnd(2);
  }

  private static akka.cluster.UniqueAddress cluster(QuarantinedEvent event) {
    return new akka.cluster.UniqueAddress(
        event.uniqueAddress().address(), event.uniqueAddress().uid());
  }

  @Test
  void a_node_whose_session_has_ended_leaves_and_ends() {
    systems.enter(0, 1, 2);
    one.expire(other);
    systems.awaitEnd(2);
    assertFalse(other.node.session().mayAct());
    systems.awaitGone(0, 2);
    assertEquals(Optional.of(MemberStatus.up()), one.finds(systems.place(1)));
  }

  @Test
  void the_end_of_an_earlier_process_at_an_address_downs_nobody() {
    systems.enter(0, 1, 2);
    Place neighbour = systems.place(1);
    CoordinationCommand.OpenSession own = neighbour.opening();
    CoordinationVerdict opened =
        one.propose(
            new CoordinationCommand.OpenSession(
                new NodeId(99),
                1,
                own.akkaAddress(),
                own.akkaUid() + 1,
                Set.of(NodeRole.SHARD_HOST),
                own.ttlMs(),
                OneLog.TERMS));
    one.propose(
        new CoordinationCommand.CloseSession(((CoordinationVerdict.Opened) opened).session().id()));
    one.expire(other); // what came before it has been looked at when this has had its effect
    systems.awaitGone(0, 2);
    assertEquals(Optional.of(MemberStatus.up()), one.finds(neighbour));
    assertTrue(neighbour.node.session().mayAct());
  }

  @Test
  void a_member_that_has_no_session_for_3_s_is_downed() {
    systems.enter(0, 1);
    long began = System.nanoTime();
    other.cluster().join(one.cluster().selfAddress());
    systems.awaitUp(0, 2);
    systems.awaitGone(0, 2);
    assertTrue(System.nanoTime() - began >= Duration.ofSeconds(3).toNanos());
    systems.awaitEnd(2);
  }

  @Test
  void without_a_majority_nobody_is_downed() {
    systems.enter(0, 1);
    other.cluster().join(one.cluster().selfAddress());
    systems.awaitUp(0, 2);
    systems.log.majority(false);
    eventually(
        "is past its session", AgreedSystems.WITHIN, one.node.session()::mayAct, acts -> !acts);
    TestKit told = new TestKit(one.system);
    one.cluster()
        .subscribe(
            told.getRef(),
            ClusterEvent.initialStateAsEvents(),
            ClusterEvent.MemberDowned.class,
            ClusterEvent.MemberRemoved.class);
    told.expectNoMessage(Duration.ofSeconds(5));
    systems.log.majority(true);
    systems.awaitGone(0, 2);
  }
}
