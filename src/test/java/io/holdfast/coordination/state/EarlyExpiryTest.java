package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Tests early expiry: all voters that live must report a process gone, and they must be a majority.
 */
class EarlyExpiryTest {

  private final AppliedLog log = AppliedLog.founded(5);
  private final List<SessionId> voters =
      LongStream.rangeClosed(1, 5).mapToObj(member -> log.open(member, 1)).toList();
  private final SessionId gone = voters.get(0);

  private void report(int by, long ifRenewal) {
    CoordinationVerdict verdict =
        log.apply(new CoordinationCommand.ReportGone(voters.get(by - 1), gone, ifRenewal));
    assertEquals(new CoordinationVerdict.Noted(), verdict);
  }

  private void close(int member) {
    log.apply(new CoordinationCommand.CloseSession(voters.get(member - 1)));
  }

  private List<CoordinationCommand.ExpireEarly> gone() {
    return log.state.seeminglyGone();
  }

  private static List<CoordinationCommand.ExpireEarly> early(SessionId session, long renewal) {
    return List.of(new CoordinationCommand.ExpireEarly(session, renewal));
  }

  @Test
  void all_voters_that_live_must_say_so() {
    report(2, 0);
    report(3, 0);
    report(4, 0);
    assertEquals(List.of(), gone(), "the fifth has not said so");
    report(5, 0);
    assertEquals(early(gone, 0), gone());
  }

  @Test
  void without_a_session_nobody_is_asked_if_the_rest_is_a_majority() {
    report(2, 0);
    report(3, 0);
    report(4, 0);
    close(5);
    assertEquals(early(gone, 0), gone());
    close(4);
    assertEquals(List.of(), gone(), "two of five");
  }

  @Test
  void a_renewal_takes_it_all_back() {
    LongStream.rangeClosed(2, 5).forEach(by -> report((int) by, 0));
    log.renew(gone, 1);
    assertEquals(List.of(), gone());
    report(2, 1);
    assertEquals(List.of(), gone(), "the others have not said so again");
    report(3, 1);
    report(4, 1);
    report(5, 1);
    assertEquals(early(gone, 1), gone());
  }

  @Test
  void a_report_from_an_older_renewal_is_refused() {
    log.renew(gone, 2);
    log.refuses(
        CoordinationRefusal.RENEWED_MEANWHILE,
        new CoordinationCommand.ReportGone(voters.get(1), gone, 1));
  }

  @Test
  void a_report_by_a_service_does_not_count() {
    SessionId service = log.open(9, 1);
    log.apply(new CoordinationCommand.ReportGone(service, gone, 0));
    report(2, 0);
    report(3, 0);
    report(4, 0);
    assertEquals(List.of(), gone(), "the service is none of the five");
    report(5, 0);
    assertEquals(early(gone, 0), gone());
  }

  @Test
  void a_service_can_be_gone() {
    SessionId service = log.open(9, 1);
    for (SessionId voter : voters) {
      assertEquals(List.of(), gone());
      log.apply(new CoordinationCommand.ReportGone(voter, service, 0));
    }
    assertEquals(early(service, 0), gone());
  }

  @Test
  void with_its_session_a_report_ends() {
    LongStream.rangeClosed(2, 5).forEach(by -> report((int) by, 0));
    log.open(5, 2);
    assertEquals(List.of(), gone(), "its next process has not said so");
  }

  @Test
  void no_report_of_oneself_or_without_a_session_is_taken() {
    log.refuses(
        CoordinationRefusal.OUT_OF_BOUND, new CoordinationCommand.ReportGone(gone, gone, 0));
    close(2);
    for (CoordinationCommand report :
        List.of(
            new CoordinationCommand.ReportGone(voters.get(1), gone, 0),
            new CoordinationCommand.ReportGone(gone, voters.get(1), 0))) {
      log.refuses(CoordinationRefusal.NO_SUCH_SESSION, report);
    }
  }

  @Test
  void of_who_has_ended_nothing_is_said() {
    LongStream.rangeClosed(2, 5).forEach(by -> report((int) by, 0));
    log.apply(new CoordinationCommand.ExpireEarly(gone, 0));
    assertEquals(List.of(), gone());
  }

  @Test
  void reports_are_in_a_snapshot() {
    LongStream.rangeClosed(2, 5).forEach(by -> report((int) by, 0));
    log.state = CoordinationState.readFrom(log.state.toBytes());
    assertEquals(early(gone, 0), gone());
    assertTrue(log.state.session(gone).isPresent());
  }
}
