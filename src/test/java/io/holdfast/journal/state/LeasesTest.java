package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The beginning and the end of leases in the journal, and the parts that end with them. */
class LeasesTest extends JournalFixture {

  private static final LeaseLife OTHER = LeaseLife.of(new LeaseId(8), new Revision(1));
  private static final AppendId ELSEWHERE = new AppendId(ShardId.of(2), new Epoch(1), 1);

  @Test
  void a_lease_begins_at_the_revision_of_its_record() {
    append(draft(1, "a", 1, "x").shows("something"));
    assertEquals(applied(2), append(draft(2, "lease|9", 1, "granted").shows("lease").begins(9)));
    assertEquals(
        Optional.of(LeaseLife.of(new LeaseId(9), revision(2))),
        journal.version().lease(new LeaseId(9)));
    assertEquals(Optional.empty(), journal.version().lease(new LeaseId(10)));
  }

  @Test
  void a_lease_that_is_alive_does_not_begin_again() {
    assertEquals(
        new Verdict.LeaseAlive(LEASE),
        append(draft(1, "lease|7", 1, "granted").shows("lease").begins(7)));
    assertEquals(
        Optional.empty(), journal.version().record(ShardId.of(1), new PersistenceId("lease|7")));
    append(draft(2, "lease|7", 1, "over").ends(LEASE));
    assertEquals(applied(1), append(draft(3, "lease|7", 2, "granted").shows("lease").begins(7)));
    assertEquals(
        Optional.of(LeaseLife.of(new LeaseId(7), revision(1))),
        journal.version().lease(new LeaseId(7)));
  }

  @Test
  void only_a_lease_that_is_alive_can_end() {
    LeaseLife another = LeaseLife.of(LEASE.id(), new Revision(9));
    assertEquals(new Verdict.LeaseDead(another), append(draft(1, "l", 1, "over").ends(another)));
    assertEquals(applied(0), append(draft(2, "l", 1, "over").ends(LEASE)));
    assertEquals(new Verdict.LeaseDead(LEASE), append(draft(3, "l", 2, "over").ends(LEASE)));
  }

  @Test
  void attached_parts_end_with_their_lease_at_one_revision() {
    journal = withLeases(LEASE, OTHER);
    Part mine = new Part(Bytes.of("mine"), LEASE);
    Part others = new Part(Bytes.of("other's"), OTHER);
    append(draft(1, "c", 1, "x").shows(mine));
    append(draft(2, "b", 1, "x").shows(mine, others, mine));
    append(draft(3, "a", 1, "x").shows(others).attaches(LEASE));
    append(draft(4, "lease", 1, "x").shows("lease"));
    effects.clear();
    assertEquals(
        new Verdict.Applied(revision(5), 3),
        append(draft(ELSEWHERE, "other", 1, "over").ends(LEASE)));
    JournalVersion version = journal.version();
    assertEquals(Optional.empty(), version.record(ShardId.of(1), new PersistenceId("c")));
    PublicRecord left =
        new PublicRecord(new PersistenceId("b"), List.of(others), revision(2), revision(5), 2);
    assertEquals(Optional.of(left), version.record(ShardId.of(1), new PersistenceId("b")));
    assertEquals(
        revision(3),
        version.record(ShardId.of(1), new PersistenceId("a")).orElseThrow().revision());
    assertEquals(
        List.of(
            new Change(
                revision(5),
                new PersistenceId("b"),
                new PublicRecord(
                    new PersistenceId("b"),
                    List.of(mine, others, mine),
                    revision(2),
                    revision(2),
                    1),
                left,
                AppendBuilder.NOTE),
            new Change(
                revision(5),
                new PersistenceId("c"),
                new PublicRecord(
                    new PersistenceId("c"), List.of(mine), revision(1), revision(1), 1),
                null,
                AppendBuilder.NOTE)),
        effects.changes());
    List<AttachedId> had =
        List.of(
            new AttachedId(ShardId.of(1), new PersistenceId("a")),
            new AttachedId(ShardId.of(1), new PersistenceId("b")),
            new AttachedId(ShardId.of(1), new PersistenceId("c")));
    assertEquals(List.of(new LeaseEnd(LEASE, AppendBuilder.NOTE, had)), effects.leaseEnds());
    assertEquals(List.of(), version.attachedTo(LEASE));
    assertEquals(0, version.attachedCount(LEASE));
    assertEquals(2, version.attachedCount(OTHER));
    assertEquals(
        List.of(
            new AttachedId(ShardId.of(1), new PersistenceId("a")),
            new AttachedId(ShardId.of(1), new PersistenceId("b"))),
        version.attachedTo(OTHER));
  }

  @Test
  void the_record_of_a_lease_ends_with_it() {
    append(draft(1, "lease", 1, "x").shows("lease"));
    append(draft(2, "a", 1, "x").shows(new Part(Bytes.of("held"), LEASE)));
    effects.clear();
    AppendBuilder over = draft(3, "lease", 2, "over").ends(LEASE).tombstone();
    assertEquals(new Verdict.Applied(revision(3), 1), append(over));
    assertEquals(ids("a", "lease"), effects.changes().stream().map(Change::id).toList());
    assertEquals(ids("a"), journal.version().liveIds(ShardId.of(1), "", 9));
    assertEquals(List.of(), journal.version().list("", "", 9));
  }

  @Test
  void a_dead_lease_has_no_attached_ids() {
    journal = withLeases();
    append(draft(1, "a", 1, "x").attaches(LEASE));
    assertEquals(List.of(), journal.version().attachedTo(LEASE));
    assertEquals(
        new Verdict.LeaseDead(LEASE),
        append(draft(2, "a", 2, "x").shows(new Part(Bytes.of("held"), LEASE)).showsNothing()));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void an_id_is_attached_to_the_leases_of_its_record() {
    append(draft(1, "a", 1, "x").shows(new Part(Bytes.of("held"), LEASE)));
    append(draft(2, "a", 2, "no change"));
    assertEquals(
        List.of(new AttachedId(ShardId.of(1), new PersistenceId("a"))),
        journal.version().attachedTo(LEASE));
    append(draft(3, "a", 3, "freed").showsNothing());
    assertEquals(List.of(), journal.version().attachedTo(LEASE));
  }

  @Test
  void an_id_is_attached_to_a_lease_until_it_is_detached() {
    append(draft(1, "a", 1, "x").attaches(LEASE));
    append(draft(2, "a", 2, "no change"));
    append(draft(3, "a", 3, "again").attaches(LEASE));
    assertEquals(
        List.of(new AttachedId(ShardId.of(1), new PersistenceId("a"))),
        journal.version().attachedTo(LEASE));
    append(draft(4, "a", 4, "over").detaches(LEASE));
    assertEquals(List.of(), journal.version().attachedTo(LEASE));
    append(draft(5, "a", 5, "over again").detaches(LEASE));
    assertEquals(List.of(), journal.version().attachedTo(LEASE));
  }

  @Test
  void an_attached_id_needs_no_record_and_a_record_keeps_it() {
    Part held = new Part(Bytes.of("held"), LEASE);
    append(draft(1, "a", 1, "waits and holds").attaches(LEASE).shows(held));
    append(draft(2, "a", 2, "waits").showsNothing());
    assertEquals(1, journal.version().attachedCount(LEASE));
    append(draft(3, "a", 3, "holds").detaches(LEASE).shows(held));
    assertEquals(1, journal.version().attachedCount(LEASE));
    append(draft(4, "a", 4, "freed").showsNothing());
    assertEquals(0, journal.version().attachedCount(LEASE));
  }

  @Test
  void leases_are_part_of_the_journal_and_of_its_digest() {
    long before = journal.version().digest();
    append(draft(1, "l", 1, "x").shows("lease").begins(9));
    journal = SnapshotCopy.readBack(journal.version(), BOUNDS);
    assertEquals(
        Optional.of(LeaseLife.of(new LeaseId(9), revision(1))),
        journal.version().lease(new LeaseId(9)));
    assertEquals(false, before == journal.version().digest());
  }

  @Test
  void an_id_is_not_attached_to_the_lease_that_it_ends() {
    journal = withLeases(LEASE, OTHER);
    append(draft(1, "l", 1, "x").shows("lease").attaches(LEASE, OTHER));
    append(draft(2, "l", 2, "over").attaches(LEASE, OTHER).ends(LEASE));
    assertEquals(List.of(new LeaseEnd(LEASE, AppendBuilder.NOTE, List.of())), effects.leaseEnds());
    assertEquals(0, journal.version().attachedCount(LEASE));
    assertEquals(
        List.of(new AttachedId(ShardId.of(1), new PersistenceId("l"))),
        journal.version().attachedTo(OTHER));
  }

  @Test
  void a_lease_changes_alone_and_with_its_record() {
    assertThrows(IllegalArgumentException.class, () -> draft(1, "l", 1, "x").begins(9).done());
    assertThrows(
        IllegalArgumentException.class,
        () -> draft(1, "l", 1, "x").shows("y").shows("lease").begins(9).done());
    assertThrows(
        IllegalArgumentException.class, () -> draft(1, "l", 1, "x").ends(LEASE).shows("z").done());
  }
}
