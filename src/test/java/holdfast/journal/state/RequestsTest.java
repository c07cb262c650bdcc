package holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** That a request is answered at most once, and how long its outcome is kept. */
class RequestsTest extends OneJournal {

  @Test
  void a_request_is_answered_once_and_the_second_append_gets_the_first_outcome() {
    append(draft(1, "a", 1, "x").answers(SESSION, 5, 5, "granted"));
    assertEquals(
        new Verdict.AlreadyAnswered(0, Bytes.of("granted")),
        append(draft(2, "a", 2, "y").answers(SESSION, 5, 5, "again")));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void one_answered_request_refuses_an_append_with_several() {
    append(draft(1, "a", 1, "x").answers(SESSION, 5, 5, "granted"));
    assertEquals(
        new Verdict.AlreadyAnswered(1, Bytes.of("granted")),
        append(draft(2, "a", 2, "y").answers(NAMED, 1, 0, "n").answers(SESSION, 5, 5, "again")));
    assertEquals(Optional.empty(), outcome(NAMED, 1));
  }

  @Test
  void an_outcome_goes_when_its_client_no_longer_waits_and_its_request_cannot_come_again() {
    append(draft(1, "a", 1, "x").answers(SESSION, 1, 1, "one"));
    append(draft(2, "a", 2, "x").answers(SESSION, 2, 1, "two"));
    append(draft(3, "a", 3, "x").answers(SESSION, 3, 2, "three"));
    assertEquals(Optional.empty(), outcome(SESSION, 1));
    assertEquals(Optional.of("two"), outcome(SESSION, 2));
    assertEquals(
        new Verdict.RequestForgotten(0), append(draft(4, "a", 4, "x").answers(SESSION, 1, 1, "?")));
  }

  @Test
  void a_client_with_too_many_open_requests_loses_its_oldest_outcome_for_good() {
    for (int i = 1; i <= BOUNDS.outcomes() + 1; i++) {
      append(draft(i, "a", i, "x").state("s").answers(SESSION, i, 0, "o" + i));
    }
    assertEquals(Optional.empty(), outcome(SESSION, 1));
    assertEquals(Optional.of("o2"), outcome(SESSION, 2));
    assertEquals(
        new Verdict.RequestForgotten(0),
        append(draft(5, "a", 5, "x").answers(SESSION, 1, 0, "again")));
  }

  @Test
  void the_outcomes_of_a_session_go_with_its_lease_and_none_of_its_requests_is_answered_after() {
    append(draft(1, "a", 1, "x").answers(SESSION, 1, 1, "one"));
    alive.remove(LEASE);
    journal.leaseEnded(LEASE.id(), LEASE.incarnation());
    assertEquals(Optional.empty(), outcome(SESSION, 1));
    assertEquals(
        new Verdict.LeaseDead(LEASE), append(draft(2, "a", 2, "x").answers(SESSION, 1, 1, "one")));
  }

  @Test
  void without_a_session_the_last_outcomes_of_a_client_are_kept() {
    for (int i = 1; i <= BOUNDS.outcomes() + 1; i++) {
      append(draft(i, "a", i, "x").state("s").answers(NAMED, 100 - i, 0, "o" + i));
    }
    assertEquals(Optional.empty(), outcome(NAMED, 99));
    assertEquals(Optional.of("o2"), outcome(NAMED, 98));
    assertEquals(Optional.of("o4"), outcome(NAMED, 96));
  }

  @Test
  void without_a_session_the_last_outcomes_of_a_shard_are_kept() {
    for (int i = 1; i <= BOUNDS.window() + 2; i++) {
      append(
          draft(i, "a", i, "x").state("s").answers(new Client.Named("client" + i), 9, 0, "o" + i));
    }
    assertEquals(Optional.empty(), outcome(new Client.Named("client2"), 9));
    assertEquals(Optional.of("o3"), outcome(new Client.Named("client3"), 9));
  }
}
