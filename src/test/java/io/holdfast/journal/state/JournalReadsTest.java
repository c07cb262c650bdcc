package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Reads of a journal, and its snapshots. */
class JournalReadsTest extends JournalFixture {

  // ---------------------------------------------------------------- states, revisions, leases

  @Test
  void a_state_replaces_the_history() {
    append(draft(1, "a", 1, "x"));
    append(draft(2, "a", 2, "y").state("x+y"));
    append(draft(3, "a", 3, "z"));
    assertEquals(new Replay(Bytes.of("x+y"), 2, 3, List.of(Bytes.of("z"))), replay("a", 1));
    assertEquals(new Replay(null, 0, 3, List.of(Bytes.of("z"))), replay("a", 3));
    assertEquals(new Replay(null, 0, 4, List.of()), replay("a", 9));
  }

  @Test
  void a_history_without_a_state_is_bounded() {
    for (int i = 1; i <= 4; i++) {
      append(draft(i, "a", i, "event " + i));
    }
    assertEquals(new Verdict.TooManyEvents(4), append(draft(5, "a", 5, "5")));
    assertEquals(applied(0), append(draft(6, "a", 5, "5").state("1-5")));
    assertEquals(applied(0), append(draft(7, "a", 6, "6")));
  }

  @Test
  void each_public_change_has_a_revision_of_its_own_without_gaps() {
    assertEquals(applied(1), append(draft(1, "a", 1, "x").shows("held")));
    assertEquals(applied(1), append(draft(2, "a", 2, "y")));
    assertEquals(new Verdict.WrongSequence(2), append(draft(3, "a", 9, "z").shows("?")));
    assertEquals(applied(2), append(draft(4, "a", 3, "z").showsNothing()));
    assertEquals(applied(3), append(draft(5, "b", 1, "x").shows("held too")));
    assertEquals(
        List.of(
            new PublicRecord(
                new PersistenceId("b"),
                List.of(Part.of(Bytes.of("held too"))),
                revision(3),
                revision(3),
                1)),
        journal.version().list("", "", 10));
  }

  @Test
  void a_record_is_listed_by_prefix_and_place_in_pages() {
    for (int i = 1; i <= 4; i++) {
      append(draft(i, "k/" + i, 1, "x").shows("r"));
      append(
          draft(new AppendId(ShardId.of(2), new Epoch(1), i), "k/" + i + "b", 1, "x").shows("r"));
    }
    append(draft(5, "l", 1, "x").shows("r"));
    append(draft(6, "k/0", 1, "not seen"));
    JournalVersion version = journal.version();
    assertEquals(List.of("k/1", "k/1b", "k/2"), keys(version.list("k/", "", 3)));
    assertEquals(List.of("k/2b", "k/3", "k/3b"), keys(version.list("k/", "k/2", 3)));
    assertEquals(List.of("k/4b"), keys(version.list("k/", "k/4", 3)));
    assertEquals(List.of("k/3", "k/4"), keys(version.list(ShardId.of(1), "k/", "k/2b", 9)));
    assertEquals(ids("k/0", "k/1"), version.liveIds(ShardId.of(1), "", 2));
    assertEquals(ids("l"), version.liveIds(ShardId.of(1), "k/4", 2));
    assertEquals(List.of(), version.liveIds(ShardId.of(77), "", 2));
  }

  @Test
  void a_version_stays_as_it_was() {
    append(draft(1, "a", 1, "x").shows("held"));
    JournalVersion version = journal.version();
    long digest = version.digest();
    append(draft(2, "a", 2, "gone").tombstone());
    assertEquals(
        OptionalLong.of(1), version.highestSequenceNr(ShardId.of(1), new PersistenceId("a")));
    assertEquals(digest, version.digest());
    assertNotEquals(digest, journal.version().digest());
  }

  @Test
  void an_index_is_applied_once() {
    append(draft(1, "a", 1, "x"));
    List<Append> batch = List.of();
    assertThrows(IllegalStateException.class, () -> journal.apply(1, batch, this::fence));
  }

  @Test
  void a_tombstone_leaves_nothing_behind() {
    AppendBuilder draft = draft(1, "a", 1, "x").tombstone().state("something");
    assertThrows(IllegalArgumentException.class, draft::done);
  }

  // ---------------------------------------------------------------- snapshots

  @Test
  void a_journal_read_back_is_the_same_also_to_duplicates() {
    Append first = draft(1, "a", 1, "x").shows("r").attaches(LEASE).done();
    apply(first);
    append(draft(2, "a", 2, "y").answers(session(1, 1), "one"));
    append(draft(3, "a", 3, "y").answers(session(1, 1), "one"));
    append(draft(4, "a", 9, "y"));
    long digest = journal.version().digest();
    journal = SnapshotCopy.readBack(journal.version(), BOUNDS);
    assertEquals(digest, journal.version().digest());
    assertEquals(applied(1), apply(first));
    assertEquals(
        new Verdict.AlreadyAnswered(0, Bytes.of("one")),
        append(draft(3, "a", 3, "y").answers(session(1, 1), "one")));
    assertEquals(new Verdict.WrongSequence(2), append(draft(4, "a", 9, "y")));
    assertEquals(applied(1), append(draft(5, "a", 3, "z")));
  }

  @Test
  void a_snapshot_of_another_format_or_without_its_end_is_refused() {
    append(draft(1, "a", 1, "x"));
    byte[] bytes = SnapshotCopy.write(journal.version());
    assertThrows(
        IllegalArgumentException.class,
        () -> SnapshotCopy.read(Arrays.copyOf(bytes, bytes.length - 1), BOUNDS));
    bytes[3]++;
    assertThrows(IllegalArgumentException.class, () -> SnapshotCopy.read(bytes, BOUNDS));
  }
}
