package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests how a process opens its session, keeps it, and loses it. */
class SessionKeeperTest {

  private static final CoordinationCommand.OpenSession OPENING = AppliedLog.opening(1, 5);

  private final AppliedLog log = AppliedLog.founded(3);
  private final SessionKeeper keeper =
      new SessionKeeper(SessionTimes.DEFAULT, OPENING, /* nowMs= */ 1_000, /* nowWallMs= */ 0);

  private List<CoordinationCommand> due(long nowMs) {
    return keeper.due(nowMs, nowMs - 1_000);
  }

  private boolean isValid(long nowMs) {
    return keeper.isValid(nowMs, nowMs - 1_000);
  }

  /** Applies a proposal of the process, and tells it. */
  private void decide(CoordinationCommand command, long nowMs) {
    CoordinationVerdict verdict = log.apply(command);
    keeper.applied(verdict);
    keeper.decided(command, verdict, nowMs);
  }

  private SessionId opened() {
    due(1_000);
    decide(OPENING, 1_010);
    return keeper.session().orElseThrow();
  }

  private static CoordinationCommand renewal(SessionId session, long number) {
    return new CoordinationCommand.RenewSession(session, number);
  }

  @Test
  void it_begins_with_its_opening_which_it_sends_once() {
    assertEquals(1_000, keeper.nextMs());
    assertEquals(List.of(OPENING), due(1_000));
    assertEquals(List.of(), due(5_000));
    assertFalse(isValid(1_001));
  }

  @Test
  void an_opening_that_came_back_is_repeated_and_finds_its_session() {
    due(1_000);
    keeper.cameBack(OPENING, 1_300);
    assertEquals(List.of(), due(1_349));
    assertEquals(1_350, keeper.nextMs());
    assertEquals(List.of(OPENING), due(1_350));
    CoordinationVerdict first = log.apply(OPENING); // which had taken effect after all
    decide(OPENING, 1_360);
    assertEquals(first.alive().map(Session::id), keeper.session());
    assertTrue(isValid(1_000 + 1_949), "it counts from the first send");
    assertFalse(isValid(1_000 + 1_950));
  }

  @Test
  void an_opening_before_the_cluster_is_founded_is_repeated() {
    due(1_000);
    keeper.decided(OPENING, new AppliedLog().apply(OPENING), 1_010);
    assertEquals(Optional.empty(), keeper.end());
    assertEquals(List.of(OPENING), due(1_060));
  }

  @Test
  void a_dead_incarnation_has_ended() {
    log.open(1, 6);
    due(1_000);
    decide(OPENING, 1_010);
    assertTrue(keeper.end().orElseThrow().contains("DEAD_INCARNATION"));
    assertEquals(List.of(), due(9_000));
    assertEquals(Long.MAX_VALUE, keeper.nextMs());
    assertFalse(isValid(1_011));
  }

  @Test
  void it_renews_every_400_ms_under_a_new_number() {
    SessionId session = opened();
    assertEquals(1_400, keeper.nextMs());
    assertEquals(List.of(), due(1_399));
    assertEquals(List.of(renewal(session, 1)), due(1_400));
    assertEquals(List.of(), due(1_500));
    assertEquals(List.of(renewal(session, 2)), due(1_800), "though the first is not decided");
    decide(renewal(session, 2), 1_810);
    assertTrue(isValid(1_800 + 1_949));
    assertFalse(isValid(1_800 + 1_950));
  }

  @Test
  void a_resent_renewal_keeps_its_number_and_first_sending_time() {
    SessionId session = opened();
    due(1_400);
    keeper.cameBack(renewal(session, 1), 1_500);
    assertEquals(List.of(renewal(session, 1)), due(1_550));
    decide(renewal(session, 1), 1_700);
    assertTrue(isValid(1_400 + 1_949));
    assertFalse(isValid(1_400 + 1_950));
  }

  @Test
  void a_renewal_that_was_overtaken_is_not_sent_again() {
    SessionId session = opened();
    due(1_400);
    due(1_800);
    keeper.cameBack(renewal(session, 1), 1_810);
    assertEquals(2_200, keeper.nextMs());
    assertEquals(List.of(), due(2_199));
  }

  @Test
  void an_old_acknowledgement_is_no_news() {
    SessionId session = opened();
    due(1_400);
    due(1_800);
    decide(renewal(session, 2), 1_810);
    keeper.decided(renewal(session, 1), log.apply(renewal(session, 1)), 1_900); // refused
    keeper.decided(
        OPENING,
        new CoordinationVerdict.Opened(
            log.state.session(session).orElseThrow(), /* repeated= */ true, List.of()),
        1_900);
    assertEquals(Optional.empty(), keeper.end());
    assertTrue(isValid(1_800 + 1_949));
    assertFalse(isValid(1_800 + 1_950));
  }

  @Test
  void a_session_that_cannot_be_renewed_has_ended() {
    SessionId session = opened();
    due(1_400);
    log.apply(new CoordinationCommand.ExpireSession(session, 0)); // unheard of
    keeper.decided(renewal(session, 1), log.apply(renewal(session, 1)), 1_410);
    assertTrue(keeper.end().orElseThrow().contains("NO_SUCH_SESSION"));
    assertFalse(isValid(1_411));
  }

  @Test
  void it_hears_of_its_end_from_whoever_proposed_it() {
    SessionId session = opened();
    keeper.applied(log.apply(AppliedLog.opening(2, 1)));
    assertEquals(Optional.empty(), keeper.end());
    keeper.applied(log.apply(new CoordinationCommand.ExpireSession(session, 0)));
    assertEquals(Optional.of("EXPIRED"), keeper.end());
    assertFalse(isValid(1_020));
    assertEquals(List.of(), due(1_400));
  }

  @Test
  void it_has_ended_if_the_state_of_the_others_does_not_have_it() {
    SessionId session = opened();
    keeper.restored(log.state);
    assertEquals(Optional.empty(), keeper.end());
    log.apply(new CoordinationCommand.CloseSession(session));
    keeper.restored(log.state);
    assertTrue(keeper.end().isPresent());
  }

  @Test
  void before_it_has_a_session_a_restored_state_says_nothing() {
    keeper.restored(log.state);
    assertEquals(Optional.empty(), keeper.end());
  }
}
