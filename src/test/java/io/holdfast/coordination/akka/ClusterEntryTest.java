package io.holdfast.coordination.akka;

import static io.holdfast.coordination.akka.AgreedSystems.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import akka.Done;
import akka.testkit.javadsl.TestKit;
import io.holdfast.coordination.akka.AgreedSystems.Place;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how nodes come into one Akka cluster, by what the log says. */
@Tag("slow")
class ClusterEntryTest {

  private final AgreedSystems systems = new AgreedSystems(3);
  private final Place one = systems.place(0);
  private final Place other = systems.place(1);

  @AfterEach
  void stop() {
    systems.close();
  }

  @Test
  void of_those_who_begin_at_once_one_forms_and_the_others_join() {
    List<CompletableFuture<Done>> entering =
        List.of(0, 1, 2).stream()
            .map(place -> systems.place(place).enter().toCompletableFuture())
            .toList();
    entering.forEach(AgreedSystems::get);
    for (int of = 0; of < 3; of++) {
      for (int found = 0; found < 3; found++) {
        systems.awaitUp(of, found);
      }
    }
    FormationId formation = one.node.read(CoordinationState::formation);
    assertEquals(
        3L,
        one.node.<Long>read(
            state ->
                state.sessions().stream()
                    .filter(session -> session.formation().equals(formation))
                    .count()));
  }

  @Test
  void a_node_whose_contact_is_silent_forms_no_second_cluster() {
    SessionId silent = joinedAndSilent();
    CompletionStage<Done> entering = other.enter();
    TestKit clock = new TestKit(one.system);
    for (long renewal = 1; renewal <= 10; renewal++) { // it lives: else nobody would join it
      one.propose(new CoordinationCommand.RenewSession(silent, renewal));
      clock.expectNoMessage(Duration.ofMillis(150));
    }
    assertFalse(entering.toCompletableFuture().isDone());
    assertFalse(isJoined(other));
    one.propose(new CoordinationCommand.CloseSession(silent));
    CompletionException failure = assertThrows(CompletionException.class, () -> get(entering));
    assertInstanceOf(IllegalStateException.class, failure.getCause());
    assertFalse(isJoined(other));
  }

  private static boolean isJoined(Place place) {
    SessionId own = place.node.session().live();
    return own != null && place.session(own).map(Session::isJoined).orElse(false);
  }

  /** A session whose node has formed the cluster, at an address where nobody listens. */
  private SessionId joinedAndSilent() {
    CoordinationVerdict opened =
        one.propose(
            new CoordinationCommand.OpenSession(
                new NodeId(99),
                1,
                "akka://holdfast@127.0.0.1:1",
                1,
                Set.of(NodeRole.SHARD_HOST),
                60_000,
                OneLog.TERMS));
    SessionId silent = ((CoordinationVerdict.Opened) opened).session().id();
    one.propose(
        new CoordinationCommand.FormCluster(silent, one.node.read(CoordinationState::joinings)));
    return silent;
  }
}
