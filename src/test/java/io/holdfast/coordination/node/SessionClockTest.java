package io.holdfast.coordination.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.coordination.state.AppliedLog;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationRefusal;
import io.holdfast.coordination.state.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From when a process counts the ttl of a session. */
class SessionClockTest {

  private static final SessionId ANNA = new SessionId(1);
  private static final SessionId BERT = new SessionId(2);

  private final SessionClock clock = new SessionClock();

  @Test
  void a_session_is_due_one_ttl_after_its_last_seen_renewal() {
    clock.saw(ANNA, 0, 2_000, 100);
    clock.saw(ANNA, 1, 2_000, 500);
    assertEquals(List.of(), clock.due(2_500));
    assertEquals(List.of(new CoordinationCommand.ExpireSession(ANNA, 1)), clock.due(2_501));
    assertEquals(2_501, clock.nextDueMs());
  }

  @Test
  void the_first_sight_of_a_renewal_counts() {
    clock.saw(ANNA, 1, 2_000, 500);
    clock.saw(ANNA, 1, 2_000, 900);
    assertEquals(2_501, clock.nextDueMs());
  }

  @Test
  void a_renewal_in_a_snapshot_counts_from_the_restore() {
    AppliedLog log = AppliedLog.founded(1);
    SessionId session = log.open(1, 1);
    log.renew(session, 4);
    clock.saw(ANNA, 0, 2_000, 0);
    clock.restored(log.state.sessions(), 9_000);
    assertEquals(List.of(), clock.due(11_000));
    assertEquals(List.of(new CoordinationCommand.ExpireSession(session, 4)), clock.due(11_001));
  }

  @Test
  void the_log_refuses_an_expiry_by_a_leader_that_lags() {
    AppliedLog log = AppliedLog.founded(1);
    SessionId session = log.open(1, 1);
    clock.saw(session, 0, 2_000, 0);
    log.renew(session, 1); // this process has not seen it
    for (CoordinationCommand.ExpireSession expire : clock.due(2_001)) {
      log.refuses(CoordinationRefusal.RENEWED_MEANWHILE, expire);
    }
    clock.saw(session, 1, 2_000, 2_002); // it counts from its own first sight
    assertEquals(List.of(), clock.due(4_002));
  }

  @Test
  void every_sign_of_life_and_every_end_in_the_log_is_seen() {
    AppliedLog log = AppliedLog.founded(1);
    clock.applied(log.apply(AppliedLog.opening(1, 1)), 0);
    SessionId session = log.state.sessions().get(0).id();
    clock.applied(log.apply(new CoordinationCommand.RenewSession(session, 3)), 100);
    assertEquals(List.of(new CoordinationCommand.ExpireSession(session, 3)), clock.due(2_101));
    clock.applied(log.apply(AppliedLog.opening(1, 2)), 200);
    assertEquals(2_201, clock.nextDueMs());
    clock.applied(
        log.apply(new CoordinationCommand.CloseSession(log.state.sessions().get(0).id())), 300);
    assertEquals(Long.MAX_VALUE, clock.nextDueMs());
  }

  @Test
  void a_session_that_has_ended_is_never_due() {
    clock.saw(ANNA, 0, 2_000, 0);
    clock.saw(BERT, 0, 3_000, 0);
    clock.ended(ANNA);
    assertEquals(List.of(new CoordinationCommand.ExpireSession(BERT, 0)), clock.due(60_000));
    clock.ended(BERT);
    assertEquals(Long.MAX_VALUE, clock.nextDueMs());
  }
}
