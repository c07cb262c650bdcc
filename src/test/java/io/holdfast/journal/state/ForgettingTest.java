package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.id.Epoch;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A tombstone leaves nothing behind, and no copy of the past comes back. */
class ForgettingTest extends JournalFixture {

  @Test
  void a_tombstone_drops_the_id_entirely() {
    append(draft(1, "a", 1, "x").shows("held").attaches(LEASE));
    assertEquals(applied(2), append(draft(2, "a", 2, "gone").tombstone()));
    JournalVersion version = journal.version();
    assertEquals(
        OptionalLong.empty(), version.highestSequenceNr(ShardId.of(1), new PersistenceId("a")));
    assertEquals(Optional.empty(), version.record(ShardId.of(1), new PersistenceId("a")));
    assertEquals(List.of(), version.liveIds(ShardId.of(1), "", 10));
    assertEquals(List.of(), version.attachedTo(LEASE));
    assertEquals(Replay.EMPTY, version.replay(ShardId.of(1), new PersistenceId("a"), 1));
  }

  @Test
  void a_forgotten_id_begins_again_at_one() {
    append(draft(1, "a", 1, "x").tombstone());
    assertEquals(new Verdict.WrongSequence(0), append(draft(2, "a", 2, "y")));
    assertEquals(applied(0), append(draft(3, "a", 1, "y")));
    assertEquals(List.of("y"), events("a"));
  }

  @Test
  void a_late_copy_of_an_append_to_a_forgotten_id_never_applies() {
    Append creation = draft(1, "a", 1, "x").done();
    apply(creation);
    append(draft(2, "a", 2, "gone").tombstone());
    assertEquals(applied(0), apply(creation), "the verdict it had, and nothing more");
    assertEquals(OptionalLong.empty(), highest("a"));
    fences.put(ShardId.of(1), new Epoch(2));
    assertEquals(new Verdict.Fenced(new Epoch(2)), apply(creation));
    append(draft(epoch(2, 1), "b", 1, "x"));
    assertEquals(new Verdict.Fenced(new Epoch(2)), apply(creation));
    assertEquals(OptionalLong.empty(), highest("a"));
  }
}
