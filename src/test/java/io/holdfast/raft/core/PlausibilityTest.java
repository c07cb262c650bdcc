package io.holdfast.raft.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that messages which no member can have sent are recognised and do no harm. */
class PlausibilityTest {

  private static final long AHEAD = 1L << 32;
  private static final MemberId A = CoreDriver.A;
  private static final MemberId B = CoreDriver.B;

  private final Plausibility plausibility =
      new Plausibility(/* termAtStart= */ 5, /* indexAtStart= */ 100, /* startMs= */ 1_000);

  @Test
  void a_term_out_of_reach_is_implausible() {
    assertFalse(isImplausible(beat(5 + AHEAD, 0)));
    assertTrue(isImplausible(beat(6 + AHEAD, 0)));
    assertTrue(isImplausible(beat(Long.MAX_VALUE, 0)));
    assertTrue(isImplausible(beat(-1, 0)));
    assertFalse(plausibility.isImplausible(beat(6 + AHEAD, 0), 1_001), "an election later");
  }

  @Test
  void a_place_out_of_reach_is_implausible() {
    assertFalse(isImplausible(beat(9, 100 + (1L << 48))));
    assertTrue(isImplausible(beat(9, 101 + (1L << 48))));
    assertTrue(isImplausible(new Message.AppendAccepted(B, A, 9, Long.MAX_VALUE, 0)));
    assertTrue(
        isImplausible(new Message.AppendRequest(B, A, 9, Long.MAX_VALUE, 9, List.of(), 0, 0)));
    assertTrue(isImplausible(new Message.ReadResponse(B, A, 9, 1, Long.MAX_VALUE)));
  }

  @Test
  void an_entry_of_a_later_term_than_its_sender_is_implausible() {
    assertFalse(isImplausible(new Message.VoteRequest(B, A, 9, 50, 9, false, false)));
    assertTrue(isImplausible(new Message.VoteRequest(B, A, 9, 50, 10, false, false)));
    assertFalse(isImplausible(append(9, 8, 9)));
    assertTrue(isImplausible(append(9, 8, Long.MAX_VALUE)));
    assertTrue(isImplausible(append(9, 8, 7)), "terms of entries do not fall");
    assertTrue(isImplausible(append(9, Long.MAX_VALUE, Long.MAX_VALUE)));
  }

  @Test
  void a_term_out_of_reach_is_not_adopted() {
    CoreDriver driver = CoreDriver.follower(Settings.LOCAL);
    for (long term : new long[] {Long.MAX_VALUE, 1L << 62, 1L << 40}) {
      driver.core.receive(new Message.HeartbeatResponse(B, A, term, 0));
      driver.core.receive(new Message.Heartbeat(B, A, term, 0, 0));
      driver.core.receive(new Message.VoteRequest(B, A, term, 9, term - 1, false, true));
    }
    driver.settle();
    assertEquals(2, driver.core.leadership().term());
  }

  @Test
  void nobody_reaches_the_last_term_step_by_step() {
    CoreDriver driver = CoreDriver.follower(Settings.LOCAL);
    for (int i = 0; i < 1_000; i++) {
      long term = driver.core.leadership().term();
      driver.core.receive(new Message.HeartbeatResponse(B, A, term + AHEAD - 2, 0));
      driver.core.receive(new Message.HeartbeatResponse(B, A, term + 1, 0));
      driver.settle();
    }
    assertTrue(driver.core.leadership().term() <= 2 + AHEAD);
  }

  @Test
  void a_follower_that_confirms_what_is_not_there_is_not_heard() {
    CoreDriver driver = CoreDriver.founded(Settings.LOCAL, CoreDriver.THREE);
    driver.core.tick(driver.core.nextTickMs());
    driver.settle();
    driver.core.receive(new Message.VoteResponse(B, A, 2, true, true));
    driver.settle();
    driver.core.receive(new Message.VoteResponse(B, A, 2, false, true));
    driver.settle();
    assertEquals(Role.LEADER, driver.core.leadership().role());
    driver.core.receive(new Message.AppendAccepted(B, A, 2, 1_000, 0));
    driver.core.propose(1, new byte[1]);
    driver.settle();
    assertEquals(List.of(), driver.outcomes);
  }

  private boolean isImplausible(Message message) {
    return plausibility.isImplausible(message, 1_000);
  }

  private static Message beat(long term, long commit) {
    return new Message.Heartbeat(B, A, term, commit, 0);
  }

  private static Message append(long term, long previousTerm, long entryTerm) {
    return new Message.AppendRequest(
        B,
        A,
        term,
        50,
        previousTerm,
        List.of(new Entry(entryTerm, 51, EntryKind.NOOP, new byte[0])),
        0,
        0);
  }
}
