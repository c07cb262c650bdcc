package io.holdfast.coordination.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.coordination.state.AppliedLog;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests what a leader proposes, and when. */
class LeaderDutiesTest {

  private static final ShardId SHARD = ShardId.of(0);

  private final AppliedLog log = AppliedLog.founded(3);
  private final LeaderDuties duties = new LeaderDuties();

  private CoordinationVerdict apply(CoordinationCommand command, long nowMs) {
    CoordinationVerdict verdict = log.apply(command);
    duties.applied(verdict, log.state, nowMs);
    return verdict;
  }

  private SessionId open(long member, long nowMs) {
    return AppliedLog.opened(apply(AppliedLog.opening(member, 1), nowMs)).session().id();
  }

  private List<CoordinationCommand> due(long nowMs) {
    return duties.due(log.state, nowMs);
  }

  private void renew(SessionId session, long number, long nowMs) {
    apply(new CoordinationCommand.RenewSession(session, number), nowMs);
  }

  private static CoordinationCommand expiry(SessionId session, long renewal) {
    return new CoordinationCommand.ExpireSession(session, renewal);
  }

  private long starts;

  @Test
  void it_ends_a_session_one_ttl_after_it_saw_the_last_renewal() {
    SessionId session = open(1, 100);
    renew(session, 1, 500);
    assertEquals(List.of(), due(2_500));
    assertEquals(List.of(expiry(session, 1)), due(2_501));
  }

  @Test
  void a_session_from_a_snapshot_has_its_full_ttl() {
    SessionId session = log.open(1, 1);
    log.renew(session, 3);
    duties.restored(log.state, 10_000);
    assertEquals(List.of(), due(12_000));
    assertEquals(List.of(expiry(session, 3)), due(12_001));
  }

  @Test
  void it_proposes_nothing_twice_within_500_ms() {
    SessionId session = open(1, 0);
    assertEquals(List.of(expiry(session, 0)), due(2_001));
    assertEquals(List.of(), due(2_500));
    assertEquals(List.of(expiry(session, 0)), due(2_501));
    renew(session, 1, 2_600);
    assertEquals(List.of(), due(3_100));
    assertEquals(List.of(expiry(session, 1)), due(4_601), "of another renewal, it is another one");
  }

  @Test
  void it_ends_early_whom_all_find_gone() {
    SessionId gone = open(1, 0);
    SessionId second = open(2, 0);
    SessionId third = open(3, 0);
    apply(new CoordinationCommand.ReportGone(second, gone, 0), 10);
    assertEquals(List.of(), due(10));
    apply(new CoordinationCommand.ReportGone(third, gone, 0), 20);
    assertEquals(List.of(new CoordinationCommand.ExpireEarly(gone, 0)), due(20));
    assertEquals(List.of(), due(519));
    assertEquals(List.of(new CoordinationCommand.ExpireEarly(gone, 0)), due(520));
  }

  @Test
  void it_calls_a_shard_certain_one_ttl_after_it_saw_the_mark() {
    CoordinationCommand certain = markAt(1_000);
    assertEquals(List.of(), due(3_000));
    assertEquals(List.of(certain), due(3_001));
    apply(certain, 3_010);
    assertEquals(List.of(), due(9_000));
  }

  @Test
  void a_later_mark_counts_from_its_own_sight() {
    markAt(1_000);
    CoordinationCommand certain = markAt(2_000);
    assertEquals(List.of(), due(4_000));
    assertEquals(List.of(certain), due(4_001));
  }

  @Test
  void a_mark_that_it_learned_from_a_snapshot_counts_from_then() {
    CoordinationCommand certain = markAt(1_000);
    duties.restored(log.state, 2_000);
    assertEquals(List.of(), due(4_000));
    assertEquals(List.of(certain), due(4_001));
  }

  @Test
  void an_uncertain_mark_seen_again_counts_as_before() {
    CoordinationCommand certain = markAt(1_000);
    apply(new CoordinationCommand.CloseSession(new SessionId(99)), 2_000);
    assertEquals(List.of(certain), due(3_001));
  }

  @Test
  void it_expels_by_views_that_have_settled() {
    SessionId first = joined(1, 0);
    SessionId second = joined(2, 0);
    SessionId third = joined(3, 0);
    report(first, Set.of(third), 1_000);
    assertEquals(List.of(), expulsions(2_999));
    report(second, Set.of(third), 3_000 - 1);
    assertEquals(List.of(), expulsions(4_998));
    assertEquals(List.of(new CoordinationCommand.Expel(Set.of(third))), expulsions(4_999));
  }

  @Test
  void a_view_that_is_taken_back_expels_nobody() {
    SessionId first = joined(1, 0);
    SessionId third = joined(3, 0);
    joined(2, 0);
    report(first, Set.of(third), 1_000);
    report(first, Set.of(), 2_000);
    assertEquals(List.of(), expulsions(9_000));
  }

  /** The owner of the shard is ended early; says what takes the mark off again. */
  private CoordinationCommand markAt(long nowMs) {
    SessionId owner = log.open(9, ++starts);
    log.acquire(owner, SHARD.value(), 1);
    apply(new CoordinationCommand.ExpireEarly(owner, 0), nowMs);
    return new CoordinationCommand.MarkCertain(
        SHARD, log.state.uncertain(SHARD).orElseThrow().id());
  }

  private SessionId joined(long member, long nowMs) {
    SessionId session = open(member, nowMs);
    if (log.state.formation().equals(FormationId.NONE)) {
      apply(log.forming(session), nowMs);
    } else {
      log.join(session);
    }
    return session;
  }

  private void report(SessionId by, Set<SessionId> unreachable, long nowMs) {
    apply(new CoordinationCommand.ReportReachability(by, unreachable), nowMs);
  }

  private List<CoordinationCommand> expulsions(long nowMs) {
    return due(nowMs).stream().filter(CoordinationCommand.Expel.class::isInstance).toList();
  }
}
