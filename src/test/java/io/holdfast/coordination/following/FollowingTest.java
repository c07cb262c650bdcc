package io.holdfast.coordination.following;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.SessionTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The rules by which a service follows the log, without actors and clocks. */
class FollowingTest {

  private static final String NODE = "akka://holdfast@one:1";
  private static final String OTHER = "akka://holdfast@other:1";
  private static final SessionTimes PATIENT = new SessionTimes(60_000, 10_000);
  private static final long LOOK_MS = Following.LOOK_EVERY.toMillis();

  private final CoordinationReplica replica = new CoordinationReplica(5);
  private final List<LogMessage.ToNode> sent = new ArrayList<>();
  private final Following following =
      new Following(
          replica, List.of(NODE, OTHER), PATIENT, (node, message) -> sent.add(message), 0);
  private final CompletableFuture<LogMessage.Became> outcome = new CompletableFuture<>();
  private final CompletableFuture<Boolean> read = new CompletableFuture<>();

  @Test
  void a_question_lost_at_the_same_node_is_unknown_in_time() {
    follow();
    following.propose(new Following.Propose(Bytes.of(new byte[] {1}), outcome), 0);
    following.catchUp(new Following.CatchUp(read), 0);
    lookUntil(Following.ANSWER_WITHIN_MS - LOOK_MS);
    assertFalse(outcome.isDone() || read.isDone());
    lookUntil(Following.ANSWER_WITHIN_MS);
    assertEquals(NODE, following.node());
    assertEquals(LogMessage.Became.UNKNOWN, outcome.getNow(null));
    assertEquals(false, read.getNow(null));
  }

  @Test
  void an_answer_that_comes_after_that_changes_nothing() {
    follow();
    following.propose(new Following.Propose(Bytes.of(new byte[] {1}), outcome), 0);
    lookUntil(Following.ANSWER_WITHIN_MS);
    following.receive(
        NODE, new LogMessage.Proposed(1, LogMessage.Became.APPLIED), Following.ANSWER_WITHIN_MS);
    assertEquals(LogMessage.Became.UNKNOWN, outcome.getNow(null));
  }

  @Test
  void a_question_to_a_node_that_is_left_is_unknown_at_once() {
    follow();
    following.propose(new Following.Propose(Bytes.of(new byte[] {1}), outcome), 0);
    following.receive(NODE, new LogMessage.FollowStatus(10, /* serves= */ false), 1);
    following.look(2);
    assertEquals(OTHER, following.node());
    assertEquals(LogMessage.Became.UNKNOWN, outcome.getNow(null));
  }

  private void follow() {
    following.begin();
    CoordinationState state = new CoordinationState();
    state.apply(10, new CoordinationCommand.Found(7, 4, List.of()));
    byte[] bytes = state.toBytes();
    following.receive(NODE, new LogMessage.ImagePart(10, 0, bytes.length, Bytes.of(bytes)), 0);
  }

  private void lookUntil(long ms) {
    for (long now = 0; now <= ms; now += LOOK_MS) {
      following.receive(NODE, new LogMessage.FollowStatus(10, /* serves= */ true), now);
      following.look(now);
    }
  }
}
