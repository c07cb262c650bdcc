package io.holdfast.coordination.following;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import akka.actor.AbstractActor;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Props;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.CoordinationReplica.Written;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardTerms;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how a service follows the log. The test plays the nodes. */
@Tag("slow")
class LogFollowerTest {

  private static final Config CONFIG =
      ConfigFactory.parseString(
              """
              akka.actor.provider = remote
              akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              akka.loglevel = OFF
              """)
          .withFallback(ConfigFactory.load());
  private static final SessionTimes PATIENT = new SessionTimes(60_000, 10_000);

  private static final class Node {
    final ActorSystem system = ActorSystem.create("holdfast", CONFIG);
    final TestKit probe = new TestKit(system);

    Node() {
      ((ExtendedActorSystem) system)
          .systemActorOf(
              Props.create(PassesOn.class, () -> new PassesOn(probe.getRef())), LogMessage.ACTOR);
    }

    String address() {
      return ((ExtendedActorSystem) system).provider().getDefaultAddress().toString();
    }

    /** The next message of that kind; the service says that it follows between all others. */
    <T extends LogMessage.ToNode> T awaits(Class<T> kind) {
      return probe.fishForSpecificMessage(
          Duration.ofSeconds(10),
          "",
          message -> kind.isInstance(message) ? kind.cast(message) : null);
    }

    void says(LogMessage.FromNode message) {
      probe.getLastSender().tell(message, probe.getRef());
    }
  }

  private static final class PassesOn extends AbstractActor {
    private final ActorRef to;

    PassesOn(ActorRef to) {
      this.to = to;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> to.forward(message, getContext())).build();
    }
  }

  private final Node one = new Node();
  private final Node other = new Node();
  private final ActorSystem system = ActorSystem.create("holdfast", CONFIG);
  private final CoordinationReplica replica = new CoordinationReplica(5);
  private final DistantLog log;

  LogFollowerTest() {
    ActorRef follower =
        system.actorOf(
            LogFollower.props(replica, List.of(one.address(), other.address()), PATIENT));
    log = new DistantLog(question -> follower.tell(question, ActorRef.noSender()));
  }

  @AfterEach
  void stop() {
    List.of(system, one.system, other.system).forEach(TestKit::shutdownActorSystem);
  }

  @Test
  void a_gap_is_asked_for_again_and_nothing_behind_it_is_taken() {
    begin(one);
    one.awaits(LogMessage.Follow.class);
    one.says(new LogMessage.Entries(12, List.of(entry(14, 2)))); // those up to 12 were lost
    one.says(new LogMessage.FollowStatus(14, /* serves= */ true));
    assertEquals(10, one.awaits(LogMessage.Begin.class).applied());
    assertEquals(1, sessions());
  }

  @Test
  void an_entry_is_applied_before_its_outcome_is_told() {
    begin(one);
    CompletableFuture<LogMessage.Became> outcome = proposed();
    LogMessage.Propose asked = one.awaits(LogMessage.Propose.class);
    one.says(new LogMessage.Entries(10, List.of(new Written(11, asked.payload()))));
    one.says(new LogMessage.Proposed(asked.number(), LogMessage.Became.APPLIED));
    assertEquals(LogMessage.Became.APPLIED, get(outcome));
    assertEquals(2, sessions());
  }

  @Test
  void a_silent_node_is_left_and_its_proposals_are_unknown() {
    begin(one);
    CompletableFuture<LogMessage.Became> outcome = proposed();
    CompletableFuture<Boolean> read = log.caughtUp().toCompletableFuture();
    assertEquals(10, other.awaits(LogMessage.Begin.class).applied());
    assertNotEquals(
        LogMessage.Became.APPLIED, get(outcome)); // or refused, if it was left before it was asked
    assertFalse(get(read));
  }

  @Test
  void a_state_that_is_older_than_what_is_known_is_not_taken() {
    begin(one);
    other.awaits(LogMessage.Begin.class);
    CoordinationState older = founded();
    other.says(new LogMessage.ImagePart(9, 0, older.toBytes().length, Bytes.of(older.toBytes())));
    other.says(new LogMessage.FollowStatus(9, /* serves= */ true));
    other.awaits(LogMessage.Begin.class);
    assertEquals(1, sessions());
  }

  @Test
  void a_node_that_hears_from_no_majority_is_left() {
    begin(one);
    one.awaits(LogMessage.Follow.class);
    one.says(new LogMessage.FollowStatus(10, /* serves= */ false));
    other.awaits(LogMessage.Begin.class);
  }

  @Test
  void a_service_that_follows_nobody_refuses() {
    assertEquals(LogMessage.Became.REFUSED, get(proposed()));
    assertFalse(get(log.caughtUp().toCompletableFuture()));
  }

  /** The service begins with a state of index 10, in which there is one session. */
  private void begin(Node node) {
    node.awaits(LogMessage.Begin.class);
    CoordinationState state = founded();
    state.apply(10, opening(1));
    byte[] bytes = state.toBytes();
    node.says(new LogMessage.ImagePart(10, 0, bytes.length, Bytes.of(bytes)));
    node.awaits(LogMessage.Follow.class); // by now it follows
    node.says(new LogMessage.FollowStatus(10, /* serves= */ true));
  }

  private static CoordinationState founded() {
    CoordinationState state = new CoordinationState();
    state.apply(1, new CoordinationCommand.Found(7, 4, List.of()));
    return state;
  }

  private CompletableFuture<LogMessage.Became> proposed() {
    return log.propose(replica.entry(1, opening(3))).toCompletableFuture();
  }

  private Written entry(long index, long member) {
    return new Written(index, Bytes.of(replica.entry(0, opening(member))));
  }

  private static CoordinationCommand opening(long member) {
    return new CoordinationCommand.OpenSession(
        new NodeId(member),
        1,
        "akka://holdfast@host:" + member,
        member,
        Set.of(),
        2_000,
        ShardTerms.of(4));
  }

  private int sessions() {
    return replica.read(state -> state.sessions().size());
  }

  private static <T> T get(CompletableFuture<T> stage) {
    return stage.copy().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
