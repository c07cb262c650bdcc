package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The rules for a verdict on an append, one by one. */
class JournalRulesTest extends JournalFixture {

  // ---------------------------------------------------------------- epochs

  @Test
  void an_append_under_the_current_epoch_is_applied() {
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void an_append_under_an_old_epoch_is_fenced_and_changes_nothing() {
    append(draft(1, "a", 1, "x"));
    fences.put(ShardId.of(1), new Epoch(2));
    assertEquals(new Verdict.Fenced(new Epoch(2)), append(draft(2, "a", 2, "y")));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void a_fence_also_stops_the_epoch_that_wrote_nothing_yet() {
    fences.put(ShardId.of(1), new Epoch(5));
    assertEquals(new Verdict.Fenced(new Epoch(5)), append(draft(1, "a", 1, "x")));
  }

  @Test
  void a_shard_without_an_epoch_takes_nothing() {
    fences.remove(ShardId.of(1));
    assertEquals(new Verdict.Fenced(Epoch.NONE), append(draft(1, "a", 1, "x")));
  }

  @Test
  void a_new_epoch_numbers_from_one() {
    append(draft(1, "a", 1, "x"));
    fences.put(ShardId.of(1), new Epoch(2));
    assertEquals(new Verdict.Gap(1), append(draft(epoch(2, 2), "a", 2, "y")));
    assertEquals(applied(0), append(draft(epoch(2, 1), "a", 2, "y")));
    assertEquals(List.of("x", "y"), events("a"));
  }

  @Test
  void epochs_of_one_shard_do_not_fence_another() {
    fences.put(ShardId.of(2), new Epoch(9));
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
  }

  // ---------------------------------------------------------------- numbers

  @Test
  void a_repeated_number_gets_its_recorded_verdict() {
    Append first = draft(1, "a", 1, "x").shows("r").done();
    Verdict verdict = apply(first);
    append(draft(2, "a", 2, "y").shows("s"));
    assertEquals(verdict, apply(first));
    assertEquals(List.of("x", "y"), events("a"));
    assertEquals(revision(2), journal.revision());
  }

  @Test
  void a_refused_append_takes_its_number_and_stays_refused() {
    Append ahead = draft(1, "a", 2, "y").done();
    assertEquals(new Verdict.WrongSequence(0), apply(ahead));
    assertEquals(applied(0), append(draft(2, "a", 1, "x")));
    assertEquals(new Verdict.WrongSequence(0), apply(ahead));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void a_gap_is_refused_and_the_retry_in_order_is_applied() {
    Append second = draft(2, "a", 2, "y").done();
    assertEquals(new Verdict.Gap(1), apply(second));
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
    assertEquals(applied(0), apply(second));
    assertEquals(List.of("x", "y"), events("a"));
  }

  @Test
  void a_number_older_than_the_verdicts_is_never_applied() {
    Append first = draft(1, "a", 1, "x").tombstone().done();
    apply(first);
    for (int number = 2; number <= BOUNDS.verdicts(); number++) {
      append(draft(number, "b", number - 1, "x").state("s"));
    }
    assertEquals(applied(0), apply(first));
    append(draft(BOUNDS.verdicts() + 1, "b", BOUNDS.verdicts(), "x"));
    assertEquals(new Verdict.Forgotten(1), apply(first));
    assertEquals(OptionalLong.empty(), highest("a"));
  }

  @Test
  void numbers_of_one_shard_are_not_those_of_another() {
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
    assertEquals(
        applied(0), append(draft(new AppendId(ShardId.of(2), new Epoch(1), 1), "a", 1, "y")));
    assertEquals(List.of("x"), events("a"));
  }

  // ---------------------------------------------------------------- sequence numbers

  @Test
  void a_sequence_number_out_of_order_is_refused() {
    append(draft(1, "a", 1, "x"));
    assertEquals(new Verdict.WrongSequence(1), append(draft(2, "a", 1, "y")));
    assertEquals(new Verdict.WrongSequence(1), append(draft(3, "a", 3, "y")));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void an_absent_id_accepts_only_sequence_number_one() {
    assertEquals(new Verdict.WrongSequence(0), append(draft(1, "a", 2, "x")));
    assertEquals(applied(0), append(draft(2, "a", 1, "x")));
  }

  @Test
  void each_append_of_a_batch_is_judged_alone_after_those_before_it() {
    List<Verdict> verdicts =
        journal.apply(
            journal.index() + 1,
            List.of(
                draft(1, "a", 1, "x").done(),
                draft(2, "a", 1, "again").done(),
                draft(3, "a", 2, "y").done(),
                draft(new AppendId(ShardId.of(2), new Epoch(9), 1), "b", 1, "stale").done(),
                draft(4, "c", 1, "z").done()),
            this::fence);
    assertEquals(
        List.of(
            applied(0),
            new Verdict.WrongSequence(1),
            applied(0),
            new Verdict.Fenced(new Epoch(1)),
            applied(0)),
        verdicts);
    assertEquals(List.of("x", "y"), events("a"));
  }

  // ---------------------------------------------------------------- preconditions

  @Test
  void a_dead_lease_refuses_what_needs_it() {
    journal = withLeases();
    assertEquals(new Verdict.LeaseDead(LEASE), append(draft(1, "a", 1, "x").whileAlive(LEASE)));
    assertEquals(OptionalLong.empty(), highest("a"));
  }

  @Test
  void another_incarnation_does_not_replace_the_living_one() {
    LeaseLife another = LeaseLife.of(LEASE.id(), new Revision(9));
    assertEquals(new Verdict.LeaseDead(another), append(draft(1, "a", 1, "x").whileAlive(another)));
  }

  @Test
  void preconditions_are_judged_for_each_append_as_it_is_applied() {
    List<Verdict> verdicts =
        journal.apply(
            journal.index() + 1,
            List.of(
                draft(1, "a", 1, "x").whileAlive(LEASE).done(),
                draft(new AppendId(ShardId.of(2), new Epoch(1), 1), "lease", 1, "over")
                    .ends(LEASE)
                    .done(),
                draft(2, "b", 1, "y").whileAlive(LEASE).done()),
            this::fence);
    assertEquals(List.of(applied(0), applied(0), new Verdict.LeaseDead(LEASE)), verdicts);
  }

  @Test
  void an_append_without_conditions_needs_no_lease() {
    journal = withLeases();
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
  }
}
