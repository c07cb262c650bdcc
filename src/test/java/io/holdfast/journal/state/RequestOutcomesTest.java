package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A request is answered at most once, and its outcome is kept for as long as promised. */
class RequestOutcomesTest extends JournalFixture {

  @Test
  void a_second_answer_is_refused_with_the_first_outcome() {
    append(draft(1, "a", 1, "x").answers(session(5, 5), "granted"));
    assertEquals(
        new Verdict.AlreadyAnswered(0, Bytes.of("granted")),
        append(draft(2, "a", 2, "y").answers(session(5, 5), "again")));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void one_answered_request_refuses_an_append_with_several() {
    append(draft(1, "a", 1, "x").answers(session(5, 5), "granted"));
    assertEquals(
        new Verdict.AlreadyAnswered(1, Bytes.of("granted")),
        append(draft(2, "a", 2, "y").answers(named("1"), "n").answers(session(5, 5), "again")));
    assertEquals(Optional.empty(), outcome(named("1")));
  }

  @Test
  void an_outcome_is_dropped_when_its_client_no_longer_waits() {
    append(draft(1, "a", 1, "x").answers(session(1, 1), "one"));
    append(draft(2, "a", 2, "x").answers(session(2, 1), "two"));
    append(draft(3, "a", 3, "x").answers(session(3, 2), "three"));
    assertEquals(Optional.empty(), outcome(session(1, 0)));
    assertEquals(Optional.of("two"), outcome(session(2, 0)));
    assertEquals(
        new Verdict.RequestForgotten(0), append(draft(4, "a", 4, "x").answers(session(1, 1), "?")));
  }

  @Test
  void a_client_with_too_many_open_requests_loses_the_oldest() {
    for (int i = 1; i <= BOUNDS.outcomes() + 1; i++) {
      append(draft(i, "a", i, "x").state("s").answers(session(i, 0), "o" + i));
    }
    assertEquals(Optional.empty(), outcome(session(1, 0)));
    assertEquals(Optional.of("o2"), outcome(session(2, 0)));
    assertEquals(
        new Verdict.RequestForgotten(0),
        append(draft(5, "a", 5, "x").answers(session(1, 0), "again")));
  }

  @Test
  void the_outcomes_of_a_session_end_with_its_lease() {
    append(draft(1, "a", 1, "x").answers(session(1, 1), "one"));
    append(draft(new AppendId(ShardId.of(2), new Epoch(1), 1), "lease", 1, "over").ends(LEASE));
    assertEquals(Optional.empty(), outcome(session(1, 0)));
    assertEquals(
        new Verdict.LeaseDead(LEASE), append(draft(2, "a", 2, "x").answers(session(1, 1), "one")));
  }

  @Test
  void a_named_request_is_identified_by_both_names() {
    append(draft(1, "a", 1, "x").answers(named("r"), "mine"));
    assertEquals(
        new Verdict.AlreadyAnswered(0, Bytes.of("mine")),
        append(draft(2, "a", 2, "y").answers(named("r"), "again")));
    append(draft(3, "a", 2, "y").answers(new RequestKey.Named("alic", "er"), "another's"));
    assertEquals(Optional.of("another's"), outcome(new RequestKey.Named("alic", "er")));
    assertEquals(Optional.of("mine"), outcome(named("r")));
    assertThrows(IllegalArgumentException.class, () -> new RequestKey.Named("a", "b".repeat(300)));
  }

  @Test
  void a_full_window_of_a_client_refuses_a_new_request() {
    for (int i = 1; i <= BOUNDS.clientWindow(); i++) {
      append(draft(i, "a", i, "x").state("s").answers(named("r" + i), "o" + i));
    }
    assertEquals(3, journal.version().lastOrder(ShardId.of(1)));
    assertEquals(
        new Verdict.TooManyRequests(1),
        append(
            draft(4, "a", 4, "x")
                .answers(new RequestKey.Named("bob", "r"), "o")
                .answers(named("r4"), "o")));
    assertEquals(Optional.of("o1"), outcome(named("r1")));
    assertEquals(
        new Verdict.AlreadyAnswered(0, Bytes.of("o1")),
        append(draft(5, "a", 4, "x").answers(named("r1"), "o")),
        "known ones are still known");
    assertEquals(
        applied(0), append(draft(6, "a", 4, "x").answers(named("r4"), "o").forgetBefore(2)));
    assertEquals(Optional.empty(), outcome(named("r1")));
    assertEquals(Optional.of("o2"), outcome(named("r2")));
    assertEquals(4, journal.version().lastOrder(ShardId.of(1)));
  }

  @Test
  void a_full_window_of_a_shard_refuses_a_new_request() {
    for (int i = 1; i <= BOUNDS.window(); i++) {
      append(draft(i, "a", i, "x").state("s").answers(new RequestKey.Named("c" + i, "r"), "o"));
    }
    assertEquals(
        new Verdict.TooManyRequests(0), append(draft(6, "a", 6, "x").answers(named("r"), "o")));
    assertEquals(
        new Verdict.TooManyRequests(1),
        append(
            draft(7, "a", 6, "x")
                .answers(named("r"), "o")
                .answers(new RequestKey.Named("bob", "r"), "o")
                .forgetBefore(2)),
        "one place is free, and two would be needed");
    assertEquals(
        applied(0), append(draft(8, "a", 6, "x").answers(named("r"), "o")), "it was heeded before");
  }

  @Test
  void outcomes_are_forgotten_also_if_the_append_is_refused() {
    append(draft(1, "a", 1, "x").answers(named("r1"), "o").answers(named("r2"), "o"));
    assertEquals(new Verdict.WrongSequence(1), append(draft(2, "a", 9, "y").forgetBefore(100)));
    assertEquals(Optional.empty(), outcome(named("r2")));
    long digest = journal.version().digest();
    journal = SnapshotCopy.readBack(journal.version(), BOUNDS);
    assertEquals(digest, journal.version().digest());
    assertEquals(2, journal.version().lastOrder(ShardId.of(1)), "places go on where they were");
    append(draft(3, "a", 2, "y").answers(named("r3"), "o"));
    assertEquals(3, journal.version().lastOrder(ShardId.of(1)));
    assertEquals(List.of("x", "y"), events("a"));
  }
}
