package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.holdfast.journal.state.JournalCommand.DeleteSnapshots;
import io.holdfast.journal.state.JournalCommand.SaveSnapshot;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The snapshots that actors ask the journal to keep, and the state that it keeps anyway. */
class SavedSnapshotsTest extends OneJournal {

  @Test
  void the_last_ones_are_kept_and_the_oldest_goes() {
    for (int i = 1; i <= 4; i++) {
      append(draft(i, "a", i, "event " + i));
    }
    for (int i = 1; i <= 4; i++) {
      assertEquals(applied(0), save(4 + i, "a", i));
    }
    assertEquals(List.of(2L, 3L, 4L), saved("a"));
    assertEquals(applied(0), save(9, "a", 3), "in place of the one that is there");
    assertEquals(List.of(2L, 3L, 4L), saved("a"));
  }

  @Test
  void one_that_counts_in_more_than_there_is_is_refused() {
    append(draft(1, "a", 1, "x"));
    assertEquals(new Verdict.WrongSequence(1), save(2, "a", 2));
    assertEquals(applied(0), save(3, "b", 9), "of an id without events nothing is known");
  }

  @Test
  void a_snapshot_is_fenced_and_numbered_like_an_append() {
    append(draft(1, "a", 1, "x"));
    assertEquals(new Verdict.Gap(2), save(3, "a", 1));
    assertEquals(applied(0), save(2, "a", 1));
    delete(3, "a", SnapshotRange.ALL);
    assertEquals(applied(0), save(2, "a", 1), "the verdict it had, and nothing more");
    assertEquals(List.of(), saved("a"));
    fences.put(1, 2L);
    assertEquals(new Verdict.Fenced(2), save(4, "a", 1));
    assertEquals(new Verdict.Fenced(2), delete(5, "a", SnapshotRange.ALL));
  }

  @Test
  void those_in_a_range_are_dropped() {
    for (int i = 1; i <= 3; i++) {
      append(draft(i, "a", i, "event " + i));
    }
    for (int i = 1; i <= 3; i++) {
      save(3 + i, "a", i);
    }
    assertEquals(applied(0), delete(7, "a", SnapshotRange.at(2)));
    assertEquals(List.of(1L, 3L), saved("a"));
    assertEquals(applied(0), delete(8, "a", new SnapshotRange(0, 9, 2, 9)), "by their time");
    assertEquals(List.of(1L), saved("a"));
  }

  @Test
  void a_tombstone_drops_them() {
    append(draft(1, "a", 1, "x"));
    save(2, "a", 1);
    append(draft(3, "a", 2, "gone").tombstone());
    assertEquals(List.of(), saved("a"));
    assertEquals(Optional.empty(), latest("a"));
  }

  @Test
  void the_later_one_of_the_saved_and_the_kept_is_offered() {
    append(draft(1, "a", 1, "w"));
    append(draft(2, "a", 2, "x"));
    save(3, "a", 1);
    assertEquals(Optional.of("saved 1"), latest("a"));
    append(draft(4, "a", 3, "y").state("kept at 3"));
    assertEquals(Optional.of("kept at 3"), latest("a"));
    append(draft(5, "a", 4, "z"));
    save(6, "a", 4);
    assertEquals(Optional.of("saved 4"), latest("a"));
    assertEquals(
        Optional.of("saved 1"),
        journal.version().snapshot(1, "a", SnapshotRange.at(1)).map(of -> of.content().text()));
  }

  @Test
  void they_are_part_of_the_journal_and_of_its_digest() {
    append(draft(1, "a", 1, "x"));
    long before = journal.version().digest();
    save(2, "a", 1);
    long after = journal.version().digest();
    assertNotEquals(before, after);
    journal = Snapshots.readBack(journal.version(), BOUNDS);
    assertEquals(after, journal.version().digest());
    assertEquals(List.of(1L), saved("a"));
  }

  private Verdict save(long number, String id, long sequenceNr) {
    Bytes content = Bytes.of("saved " + sequenceNr);
    return apply(
        new SaveSnapshot(epoch(1, number), id, new SavedSnapshot(sequenceNr, sequenceNr, content)));
  }

  private Verdict delete(long number, String id, SnapshotRange range) {
    return apply(new DeleteSnapshots(epoch(1, number), id, range));
  }

  private List<Long> saved(String id) {
    return journal.version().snapshots(1, id).stream().map(SavedSnapshot::sequenceNr).toList();
  }

  private Optional<String> latest(String id) {
    return journal
        .version()
        .snapshot(1, id, SnapshotRange.ALL)
        .map(found -> found.content().text());
  }
}
