package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The size of the content, and its bound. */
class StateBoundTest extends JournalFixture {

  private static final long NO_BOUND = Long.MAX_VALUE;

  private final JournalState empty = new JournalState(BOUNDS, 3);
  private long max = NO_BOUND;
  private long number;

  @Override
  List<Verdict> apply(List<Append> appends) {
    Fences bounded =
        new Fences() {
          @Override
          public Epoch epochOf(ShardId shard) {
            return fence(shard);
          }

          @Override
          public long maxSize() {
            return max;
          }
        };
    return journal.apply(journal.index() + 1, appends, bounded, effects);
  }

  private Verdict write(String id, long sequenceNr, Need need) {
    return append(draft(++number, id, sequenceNr, "event").state("held").shows("x").needs(need));
  }

  private long size() {
    return journal.footprint().size();
  }

  /** Sets the bound to the current size. */
  private void fill() {
    max = size();
  }

  @Test
  void an_append_that_needs_room_is_refused_at_the_bound() {
    write("a", 1, Need.ROOM);
    max = size() + 1;
    assertTrue(write("b", 1, Need.ROOM) instanceof Verdict.Applied);
    Verdict full = new Verdict.StateFull(max);
    long before = size();
    assertEquals(full, write("c", 1, Need.ROOM));
    assertEquals(full, write("a", 2, Need.ROOM), "also where something is");
    assertEquals(before, size());
    assertEquals(ids("a", "b"), journal.version().liveIds(ShardId.of(1), "", 9));
    Append refused = draft(number, "a", 2, "event").state("held").needs(Need.ROOM).done();
    max = NO_BOUND;
    assertEquals(full, apply(refused), "a copy of it is refused for good");
  }

  @Test
  void an_append_that_ends_something_is_always_applied() {
    write("a", 1, Need.ROOM);
    max = 1;
    AppendBuilder release = draft(++number, "a", 2, "released").state("free").showsNothing();
    assertTrue(append(release.answers(named("r"), "released")) instanceof Verdict.Applied);
    assertTrue(append(draft(++number, "a", 3, "gone").tombstone()) instanceof Verdict.Applied);
    assertEquals(List.of(), journal.version().liveIds(ShardId.of(1), "", 9));
  }

  @Test
  void the_reserve_is_a_quarter_of_the_bound() {
    write("a", 1, Need.ROOM);
    fill();
    while (size() < max + max / 4) {
      assertTrue(write("r" + number, 1, Need.RESERVE) instanceof Verdict.Applied);
    }
    assertEquals(new Verdict.StateFull(max), write("s", 1, Need.RESERVE));
  }

  @Test
  void there_is_room_again_when_something_has_ended() {
    write("a", 1, Need.ROOM);
    write("b", 1, Need.ROOM);
    fill();
    assertEquals(new Verdict.StateFull(max), write("c", 1, Need.ROOM));
    append(draft(++number, "a", 2, "gone").tombstone());
    assertTrue(write("c", 1, Need.ROOM) instanceof Verdict.Applied);
  }

  @Test
  void other_refusals_come_before_the_bound() {
    write("a", 1, Need.ROOM);
    fill();
    assertEquals(new Verdict.WrongSequence(1), write("a", 7, Need.ROOM));
  }

  @Test
  void all_content_counts_until_it_is_removed() {
    journal = empty;
    Footprint nothing = journal.footprint();
    assertEquals(new Footprint(0, 0, 0, 0), nothing);
    append(draft(++number, "lease", 1, "begun").shows("terms").begins(5));
    LeaseLife lease = LeaseLife.of(new LeaseId(5), journal.revision());
    grows(() -> write("a", 1, Need.ROOM));
    grows(() -> append(draft(++number, "a", 2, "longer").state("held".repeat(9)).shows("x")));
    grows(() -> append(draft(++number, "a", 3, "queued").state("held".repeat(9)).waiters(2)));
    assertEquals(2, journal.footprint().waiters());
    grows(() -> append(hangsOn(lease, 4)));
    grows(() -> append(hangsOn(lease, 5).answers(new RequestKey.Numbered(lease, 1, 1), "done")));
    grows(() -> append(hangsOn(lease, 6).answers(named("r"), "done")));
    assertEquals(2, journal.footprint().ids());
    assertEquals(2, journal.footprint().parts());
    apply(
        List.of(
            draft(++number, "lease", 2, "ended").ends(lease).tombstone().done(),
            draft(++number, "a", 7, "gone").tombstone().forgetBefore(2).done()));
    assertEquals(nothing, journal.footprint());
  }

  private AppendBuilder hangsOn(LeaseLife lease, long sequenceNr) {
    return draft(++number, "a", sequenceNr, "event")
        .state("held".repeat(9))
        .waiters(2)
        .attaches(lease);
  }

  private void grows(Supplier<Verdict> write) {
    long before = size();
    assertTrue(write.get() instanceof Verdict.Applied);
    assertTrue(size() > before, () -> "[" + size() + "] after [" + before + "]");
  }
}
