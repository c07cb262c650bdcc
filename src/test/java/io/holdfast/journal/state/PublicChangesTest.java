package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Public changes: their records, their revisions and their notes. */
class PublicChangesTest extends JournalFixture {

  @Test
  void each_public_change_of_an_append_has_its_own_revision() {
    AppendBuilder draft = draft(1, "a", 1, "x").shows("held").shows("held by another");
    assertEquals(applied(3), append(draft.showsNothing()));
    PublicRecord first = record("held", 1, 1, 1);
    PublicRecord second = record("held by another", 1, 2, 2);
    assertEquals(
        List.of(
            new Change(revision(1), new PersistenceId("a"), null, first, AppendBuilder.NOTE),
            new Change(revision(2), new PersistenceId("a"), first, second, AppendBuilder.NOTE),
            new Change(revision(3), new PersistenceId("a"), second, null, AppendBuilder.NOTE)),
        effects.changes());
    assertEquals(Optional.empty(), journal.version().record(ShardId.of(1), new PersistenceId("a")));
  }

  @Test
  void a_record_has_its_creation_and_its_version() {
    append(draft(1, "a", 1, "x").shows("1"));
    append(draft(2, "b", 1, "x").shows("2"));
    append(draft(3, "a", 2, "x").shows("3"));
    assertEquals(
        Optional.of(record("3", 1, 3, 2)),
        journal.version().record(ShardId.of(1), new PersistenceId("a")));
    append(draft(4, "a", 3, "x").showsNothing());
    append(draft(5, "a", 4, "x").shows("5"));
    assertEquals(
        Optional.of(record("5", 5, 5, 1)),
        journal.version().record(ShardId.of(1), new PersistenceId("a")));
  }

  @Test
  void an_absent_record_that_stays_absent_is_no_change() {
    assertEquals(applied(0), append(draft(1, "a", 1, "x").showsNothing()));
    append(draft(2, "a", 2, "x").shows("1").showsNothing());
    assertEquals(applied(2), append(draft(3, "a", 3, "gone").tombstone()));
    assertEquals(2, effects.changes().size());
  }

  @Test
  void a_change_is_bounded() {
    Bytes note = Bytes.of(new byte[PublicChange.MAX_NOTE_BYTES + 1]);
    assertThrows(IllegalArgumentException.class, () -> new PublicChange.Absent(note));
    assertThrows(
        IllegalArgumentException.class, () -> new PublicChange.Set(List.of(), Bytes.EMPTY));
    Part large = Part.of(Bytes.of(new byte[Append.MAX_BYTES / 2 + PublicChange.MAX_NOTE_BYTES]));
    assertThrows(
        IllegalArgumentException.class,
        () -> new PublicChange.Set(List.of(large, large), Bytes.EMPTY));
    List<Part> many = Collections.nCopies(PublicChange.MAX_PARTS + 1, Part.of(Bytes.EMPTY));
    assertThrows(IllegalArgumentException.class, () -> new PublicChange.Set(many, Bytes.EMPTY));
    AppendBuilder both = draft(1, "a", 1, "x").shows(large).shows(large);
    assertThrows(IllegalArgumentException.class, both::done);
  }

  @Test
  void the_most_parts_are_kept() {
    List<Part> many = Collections.nCopies(PublicChange.MAX_PARTS, new Part(Bytes.of("p"), LEASE));
    append(draft(1, "a", 1, "x").shows(many.toArray(Part[]::new)));
    assertEquals(
        many,
        journal.version().record(ShardId.of(1), new PersistenceId("a")).orElseThrow().parts());
  }

  private static PublicRecord record(String content, long created, long at, long version) {
    return new PublicRecord(
        new PersistenceId("a"),
        List.of(Part.of(Bytes.of(content))),
        revision(created),
        revision(at),
        version);
  }
}
