package io.holdfast.coordination.hosting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Props;
import akka.testkit.javadsl.TestKit;
import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.akka.AgreedSystems;
import io.holdfast.coordination.akka.AgreedSystems.Place;
import io.holdfast.coordination.akka.OneLog;
import io.holdfast.coordination.following.ImageParts;
import io.holdfast.coordination.following.LogMessage;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.id.ShardId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how a node tells services of the log, and takes entries from them. */
class FollowersActorTest {

  private static final SessionTimes SELDOM = new SessionTimes(60_000, 30_000); // few entries

  private final AgreedSystems systems = new AgreedSystems(1, SELDOM);
  private final Place node = systems.place(0);
  private final ActorSystem system = node.system;
  private final TestKit service = new TestKit(system);
  private final CoordinationMachine machine = new CoordinationMachine(99);
  private final ActorRef actor;

  FollowersActorTest() {
    node.open();
    FollowersActor.open(system, node.node);
    actor =
        ((akka.actor.ExtendedActorSystem) system)
            .provider()
            .resolveActorRef(system + "/system/" + LogMessage.ACTOR);
  }

  @AfterEach
  void stop() {
    systems.close();
  }

  @Test
  void a_new_follower_is_told_the_state_and_then_each_entry() throws Exception {
    tell(new LogMessage.Begin(0));
    LogMessage.ImagePart image = service.expectMsgClass(LogMessage.ImagePart.class);
    CoordinationState state = CoordinationState.readFrom(image.bytes().array());
    assertEquals(1, state.sessions().size());
    tell(new LogMessage.Follow());
    service.expectMsg(new LogMessage.FollowStatus(image.index(), /* serves= */ true));
    node.propose(
        new CoordinationCommand.AcquireShard(
            Objects.requireNonNull(node.node.session().live()), ShardId.of(1), 1, OneLog.TERMS));
    LogMessage.Entries entries = service.expectMsgClass(LogMessage.Entries.class);
    assertEquals(image.index(), entries.after());
    assertEquals(1, entries.entries().size());
  }

  @Test
  void a_follower_ahead_of_the_node_is_sent_on() {
    tell(new LogMessage.Begin(Long.MAX_VALUE));
    service.expectMsg(
        new LogMessage.FollowStatus(LogMessage.FollowStatus.NOTHING, /* serves= */ true));
  }

  @Test
  void a_stranger_is_told_that_it_does_not_follow_here() {
    tell(new LogMessage.Follow());
    service.expectMsg(
        new LogMessage.FollowStatus(LogMessage.FollowStatus.NOTHING, /* serves= */ true));
  }

  @Test
  void an_outcome_comes_behind_its_entry() {
    tell(new LogMessage.Begin(0));
    service.expectMsgClass(LogMessage.ImagePart.class);
    byte[] entry =
        machine.entry(
            1,
            new CoordinationCommand.OpenSession(
                new NodeId(99), 1, "akka://holdfast@host:1", 1, Set.of(), 2_000, OneLog.TERMS));
    tell(new LogMessage.Propose(7, Bytes.of(entry)));
    LogMessage.Entries entries = service.expectMsgClass(LogMessage.Entries.class);
    assertEquals(Bytes.of(entry), entries.entries().get(0).payload());
    service.expectMsg(new LogMessage.Proposed(7, LogMessage.Became.APPLIED));
  }

  @Test
  void an_entry_that_services_may_not_write_is_refused() {
    byte[] entry = machine.entry(1, new CoordinationCommand.RaiseGeneration(2));
    tell(new LogMessage.Propose(7, Bytes.of(entry)));
    service.expectMsg(new LogMessage.Proposed(7, LogMessage.Became.REFUSED));
  }

  @Test
  void a_barrier_is_passed_with_a_majority_only() {
    tell(new LogMessage.Catch(1));
    service.expectMsg(new LogMessage.Caught(1, true));
    systems.log.majority(false);
    tell(new LogMessage.Catch(2));
    service.expectMsg(new LogMessage.Caught(2, false));
  }

  @Test
  void one_more_than_may_follow_is_sent_on() {
    for (int follower = 0; follower < Followers.MAX_FOLLOWERS; follower++) {
      ActorRef mute = system.actorOf(Props.create(Mute.class, Mute::new));
      actor.tell(new LogMessage.Begin(0), mute);
    }
    tell(new LogMessage.Begin(0));
    service.expectMsg(
        new LogMessage.FollowStatus(LogMessage.FollowStatus.NOTHING, /* serves= */ true));
  }

  @Test
  void a_state_of_any_size_comes_in_parts() {
    assertTrue(Followers.PART_BYTES < 256 << 10, "Akka's links take no more");
    for (int i = 1; i <= 400; i++) { // each leaves its member and itself in the state
      node.propose(
          new CoordinationCommand.OpenSession(
              new NodeId(1_000 + i % 120),
              i,
              "akka://holdfast@" + "h".repeat(480) + ":" + i,
              i,
              Set.of(),
              60_000,
              OneLog.TERMS));
    }
    tell(new LogMessage.Begin(0));
    ImageParts parts = new ImageParts();
    List<LogMessage.ImagePart> all = service.receiveN(1).stream().map(this::part).toList();
    int total = all.get(0).total();
    assertTrue(total > Followers.PART_BYTES, "the test's state is too small: " + total);
    var whole = parts.add(all.get(0));
    while (whole.isEmpty()) {
      whole = parts.add(service.expectMsgClass(Duration.ofSeconds(3), LogMessage.ImagePart.class));
    }
    assertEquals(total, whole.get().state().size());
  }

  private LogMessage.ImagePart part(Object message) {
    return (LogMessage.ImagePart) message;
  }

  private static final class Mute extends akka.actor.AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> {}).build();
    }
  }

  private void tell(LogMessage.ToNode message) {
    actor.tell(message, service.getRef());
  }
}
