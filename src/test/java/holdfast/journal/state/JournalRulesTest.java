package holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import holdfast.journal.state.JournalCommand.AppendBatch;
import holdfast.journal.state.JournalCommand.DeleteTo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How an append is judged, rule by rule. */
class JournalRulesTest {

  private static final Bounds BOUNDS = new Bounds(4, 8, 3, 5);
  private static final LeaseRef LEASE = new LeaseRef(7, 1);
  private static final Client SESSION = new Client.Session(LEASE);
  private static final Client NAMED = new Client.Named("alice");

  private final Map<Integer, Long> fences = new HashMap<>(Map.of(1, 1L, 2, 1L));
  private final Set<LeaseRef> alive = new HashSet<>(Set.of(LEASE));
  private JournalState journal = new JournalState(BOUNDS, 3);

  // ---------------------------------------------------------------- epochs

  @Test
  void an_append_under_the_current_epoch_is_applied() {
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void an_append_under_an_old_epoch_is_fenced_and_changes_nothing() {
    append(draft(1, "a", 1, "x"));
    fences.put(1, 2L);
    assertEquals(new Verdict.Fenced(2), append(draft(2, "a", 2, "y")));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void a_fence_also_stops_the_epoch_that_wrote_nothing_yet() {
    fences.put(1, 5L);
    assertEquals(new Verdict.Fenced(5), append(draft(1, "a", 1, "x")));
  }

  @Test
  void a_shard_without_an_epoch_takes_nothing() {
    fences.remove(1);
    assertEquals(new Verdict.Fenced(0), append(draft(1, "a", 1, "x")));
  }

  @Test
  void a_new_epoch_numbers_from_one() {
    append(draft(1, "a", 1, "x"));
    fences.put(1, 2L);
    assertEquals(new Verdict.Gap(1), append(draft(epoch(2, 2), "a", 2, "y")));
    assertEquals(applied(0), append(draft(epoch(2, 1), "a", 2, "y")));
    assertEquals(List.of("x", "y"), events("a"));
  }

  @Test
  void epochs_of_one_shard_do_not_fence_another() {
    fences.put(2, 9L);
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
  }

  // ---------------------------------------------------------------- numbers

  @Test
  void a_number_seen_before_gets_its_recorded_verdict_and_changes_nothing() {
    Append first = draft(1, "a", 1, "x").shows("r").done();
    Verdict verdict = apply(first);
    append(draft(2, "a", 2, "y").shows("s"));
    assertEquals(verdict, apply(first));
    assertEquals(List.of("x", "y"), events("a"));
    assertEquals(revision(2), journal.revision());
  }

  @Test
  void a_refused_append_takes_its_number_and_is_refused_again_the_same_way() {
    Append ahead = draft(1, "a", 2, "y").done();
    assertEquals(new Verdict.WrongSequence(0), apply(ahead));
    assertEquals(applied(0), append(draft(2, "a", 1, "x")));
    assertEquals(new Verdict.WrongSequence(0), apply(ahead));
    assertEquals(List.of("x"), events("a"));
  }

  @Test
  void a_gap_is_refused_without_a_record_and_the_retry_in_order_is_applied() {
    Append second = draft(2, "a", 2, "y").done();
    assertEquals(new Verdict.Gap(1), apply(second));
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
    assertEquals(applied(0), apply(second));
    assertEquals(List.of("x", "y"), events("a"));
  }

  @Test
  void a_number_older_than_the_record_is_forgotten_and_never_applied() {
    Append first = draft(1, "a", 1, "x").tombstone().done();
    apply(first);
    for (int number = 2; number <= BOUNDS.verdicts(); number++) {
      append(draft(number, "b", number - 1, "x").state("s"));
    }
    assertEquals(revisionOf(1), apply(first));
    append(draft(BOUNDS.verdicts() + 1, "b", BOUNDS.verdicts(), "x"));
    assertEquals(new Verdict.Forgotten(1), apply(first));
    assertEquals(OptionalLong.empty(), highest("a"));
  }

  @Test
  void numbers_of_one_shard_are_not_those_of_another() {
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
    assertEquals(applied(0), append(draft(new Turn(2, 1, 1), "a", 1, "y")));
    assertEquals(List.of("x"), events("a"));
  }

  // ---------------------------------------------------------------- sequence numbers

  @Test
  void a_sequence_number_that_does_not_follow_the_highest_is_refused() {
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
  void events_of_one_append_become_true_together() {
    append(draft(1, "a", 1, "x").then("y").then("z"));
    assertEquals(List.of("x", "y", "z"), events("a"));
    assertEquals(OptionalLong.of(3), highest("a"));
  }

  @Test
  void each_append_of_a_batch_is_judged_alone_after_those_before_it() {
    List<Verdict> verdicts =
        journal.apply(
            journal.index() + 1,
            new AppendBatch(
                List.of(
                    draft(1, "a", 1, "x").done(),
                    draft(2, "a", 1, "again").done(),
                    draft(3, "a", 2, "y").done(),
                    draft(new Turn(2, 9, 1), "b", 1, "stale").done(),
                    draft(4, "c", 1, "z").done())),
            this::fence,
            this::isAlive);
    assertEquals(
        List.of(
            applied(0),
            new Verdict.WrongSequence(1),
            applied(0),
            new Verdict.Fenced(1),
            applied(0)),
        verdicts);
    assertEquals(List.of("x", "y"), events("a"));
  }

  // ---------------------------------------------------------------- preconditions

  @Test
  void a_dead_lease_refuses_what_needs_it() {
    alive.clear();
    assertEquals(new Verdict.LeaseDead(LEASE), append(draft(1, "a", 1, "x").whileAlive(LEASE)));
    assertEquals(OptionalLong.empty(), highest("a"));
  }

  @Test
  void a_later_life_of_a_lease_does_not_stand_in_for_an_earlier_one() {
    LeaseRef earlier = new LeaseRef(LEASE.id(), 0);
    assertEquals(new Verdict.LeaseDead(earlier), append(draft(1, "a", 1, "x").whileAlive(earlier)));
  }

  @Test
  void preconditions_are_judged_for_each_append_as_it_is_applied() {
    List<Verdict> verdicts =
        journal.apply(
            journal.index() + 1,
            new AppendBatch(
                List.of(
                    draft(1, "a", 1, "x").whileAlive(LEASE).done(),
                    draft(2, "b", 1, "y").whileAlive(LEASE).done())),
            this::fence,
            (id, incarnation) -> journal.version().highestSequenceNr(1, "a").isEmpty());
    assertEquals(List.of(applied(0), new Verdict.LeaseDead(LEASE)), verdicts);
  }

  @Test
  void what_needs_no_lease_asks_for_none() {
    alive.clear();
    assertEquals(applied(0), append(draft(1, "a", 1, "x")));
  }

  // ---------------------------------------------------------------- requests

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

  // ---------------------------------------------------------------- forgetting

  @Test
  void a_tombstone_drops_the_id_entirely() {
    append(draft(1, "a", 1, "x").shows("held").attaches(LEASE));
    assertEquals(revisionOf(2), append(draft(2, "a", 2, "gone").tombstone()));
    JournalVersion version = journal.version();
    assertEquals(OptionalLong.empty(), version.highestSequenceNr(1, "a"));
    assertEquals(Optional.empty(), version.publicRecord(1, "a"));
    assertEquals(List.of(), version.liveKeys(1, "", 10));
    assertEquals(List.of(), version.attachedTo(LEASE.id(), LEASE.incarnation()));
    assertEquals(Replay.EMPTY, version.replay(1, "a", 1));
  }

  @Test
  void a_forgotten_id_begins_again_at_one() {
    append(draft(1, "a", 1, "x").tombstone());
    assertEquals(new Verdict.WrongSequence(0), append(draft(2, "a", 2, "y")));
    assertEquals(applied(1), append(draft(3, "a", 1, "y")));
    assertEquals(List.of("y"), events("a"));
  }

  @Test
  void a_delayed_duplicate_of_an_append_of_a_forgotten_id_never_applies() {
    Append creation = draft(1, "a", 1, "x").done();
    apply(creation);
    append(draft(2, "a", 2, "gone").tombstone());
    assertEquals(applied(0), apply(creation), "the verdict it had, and nothing more");
    assertEquals(OptionalLong.empty(), highest("a"));
    fences.put(1, 2L);
    assertEquals(new Verdict.Fenced(2), apply(creation));
    append(draft(epoch(2, 1), "b", 1, "x"));
    assertEquals(new Verdict.Fenced(2), apply(creation));
    assertEquals(OptionalLong.empty(), highest("a"));
  }

  @Test
  void deleting_keeps_the_highest_number() {
    append(draft(1, "a", 1, "x").then("y").then("z"));
    delete(2, "a", 2);
    assertEquals(List.of("z"), events("a"));
    delete(3, "a", Long.MAX_VALUE);
    assertEquals(List.of(), events("a"));
    assertEquals(OptionalLong.of(3), highest("a"));
    assertEquals(applied(0), append(draft(4, "a", 4, "w")));
    assertEquals(List.of("w"), events("a"));
  }

  @Test
  void deleting_takes_a_state_that_is_older_and_leaves_one_that_is_not() {
    append(draft(1, "a", 1, "x").state("at 1"));
    delete(2, "a", 1);
    assertEquals(Bytes.of("at 1"), replay("a", 1).state());
    append(draft(3, "a", 2, "y"));
    delete(4, "a", 2);
    assertEquals(new Replay(null, 0, 3, List.of()), replay("a", 1));
  }

  @Test
  void a_deletion_is_fenced_and_numbered_like_an_append() {
    append(draft(1, "a", 1, "x"));
    assertEquals(new Verdict.Gap(2), delete(3, "a", 1));
    assertEquals(applied(0), delete(2, "a", 1));
    append(draft(3, "a", 2, "y"));
    assertEquals(applied(0), delete(2, "a", 5), "a duplicate deletes nothing");
    fences.put(1, 2L);
    assertEquals(new Verdict.Fenced(2), delete(4, "a", 5));
    assertEquals(List.of("y"), events("a"));
  }

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
    append(draft(1, "a", 1, "1").then("2").then("3").then("4"));
    assertEquals(new Verdict.TooManyEvents(4), append(draft(2, "a", 5, "5")));
    assertEquals(applied(0), append(draft(3, "a", 5, "5").state("1-5")));
    assertEquals(applied(0), append(draft(4, "a", 6, "6")));
  }

  @Test
  void each_public_change_has_a_revision_of_its_own_without_gaps() {
    assertEquals(revisionOf(1), append(draft(1, "a", 1, "x").shows("held")));
    assertEquals(revisionOf(1), append(draft(2, "a", 2, "y")));
    assertEquals(new Verdict.WrongSequence(2), append(draft(3, "a", 9, "z").shows("?")));
    assertEquals(revisionOf(2), append(draft(4, "a", 3, "z").showsNothing()));
    assertEquals(revisionOf(3), append(draft(5, "b", 1, "x").shows("held too")));
    assertEquals(
        List.of(new PublicRecord("b", Bytes.of("held too"), revision(3))),
        journal.version().list("", "", 10));
  }

  @Test
  void a_record_is_listed_by_prefix_and_place_in_pages() {
    for (int i = 1; i <= 4; i++) {
      append(draft(i, "k/" + i, 1, "x").shows("r"));
      append(draft(new Turn(2, 1, i), "k/" + i + "b", 1, "x").shows("r"));
    }
    append(draft(5, "l", 1, "x").shows("r"));
    append(draft(6, "k/0", 1, "not seen"));
    JournalVersion version = journal.version();
    assertEquals(List.of("k/1", "k/1b", "k/2"), keys(version.list("k/", "", 3)));
    assertEquals(List.of("k/2b", "k/3", "k/3b"), keys(version.list("k/", "k/2", 3)));
    assertEquals(List.of("k/4b"), keys(version.list("k/", "k/4", 3)));
    assertEquals(List.of("k/3", "k/4"), keys(version.list(1, "k/", "k/2b", 9)));
    assertEquals(List.of("k/0", "k/1"), version.liveKeys(1, "", 2));
    assertEquals(List.of("l"), version.liveKeys(1, "k/4", 2));
    assertEquals(List.of(), version.liveKeys(77, "", 2));
  }

  @Test
  void the_end_of_a_lease_says_which_ids_hung_on_it() {
    LeaseRef other = new LeaseRef(8, 1);
    alive.add(other);
    append(draft(1, "a", 1, "x").attaches(LEASE, other));
    append(draft(2, "b", 1, "x").attaches(LEASE));
    append(draft(3, "c", 1, "x").attaches(LEASE));
    append(draft(4, "c", 2, "let go"));
    List<AttachedId> hung = List.of(new AttachedId(1, "a"), new AttachedId(1, "b"));
    assertEquals(hung, journal.version().attachedTo(LEASE.id(), LEASE.incarnation()));
    alive.remove(LEASE);
    assertEquals(hung, journal.leaseEnded(LEASE.id(), LEASE.incarnation()));
    assertEquals(List.of(), journal.leaseEnded(LEASE.id(), LEASE.incarnation()));
    assertEquals(List.of(hung.get(0)), journal.version().attachedTo(8, 1));
  }

  @Test
  void a_dead_lease_takes_no_new_ids() {
    alive.clear();
    append(draft(1, "a", 1, "x").attaches(LEASE));
    assertEquals(List.of(), journal.version().attachedTo(LEASE.id(), LEASE.incarnation()));
  }

  @Test
  void a_version_stays_as_it_was() {
    append(draft(1, "a", 1, "x").shows("held"));
    JournalVersion version = journal.version();
    long digest = version.digest();
    append(draft(2, "a", 2, "gone").tombstone());
    assertEquals(OptionalLong.of(1), version.highestSequenceNr(1, "a"));
    assertEquals(digest, version.digest());
    assertNotEquals(digest, journal.version().digest());
  }

  @Test
  void an_index_comes_once() {
    append(draft(1, "a", 1, "x"));
    AppendBatch batch = new AppendBatch(List.of());
    assertThrows(
        IllegalStateException.class, () -> journal.apply(1, batch, this::fence, this::isAlive));
  }

  @Test
  void a_tombstone_leaves_nothing_behind() {
    Draft draft = draft(1, "a", 1, "x").tombstone().state("something");
    assertThrows(IllegalArgumentException.class, draft::done);
  }

  // ---------------------------------------------------------------- snapshots

  @Test
  void a_journal_read_back_is_the_same_also_to_duplicates() {
    Append first = draft(1, "a", 1, "x").shows("r").attaches(LEASE).done();
    apply(first);
    append(draft(2, "a", 2, "y").answers(SESSION, 1, 1, "one"));
    append(draft(3, "a", 3, "y").answers(SESSION, 1, 1, "one"));
    append(draft(4, "a", 9, "y"));
    long digest = journal.version().digest();
    journal = Snapshots.readBack(journal.version(), BOUNDS);
    assertEquals(digest, journal.version().digest());
    assertEquals(revisionOf(1), apply(first));
    assertEquals(
        new Verdict.AlreadyAnswered(0, Bytes.of("one")),
        append(draft(3, "a", 3, "y").answers(SESSION, 1, 1, "one")));
    assertEquals(new Verdict.WrongSequence(2), append(draft(4, "a", 9, "y")));
    assertEquals(applied(1), append(draft(5, "a", 3, "z")));
  }

  @Test
  void a_snapshot_of_another_format_or_without_its_end_is_refused() {
    append(draft(1, "a", 1, "x"));
    byte[] bytes = Snapshots.write(journal.version());
    assertThrows(
        IllegalArgumentException.class,
        () -> Snapshots.read(java.util.Arrays.copyOf(bytes, bytes.length - 1), BOUNDS));
    bytes[3]++;
    assertThrows(IllegalArgumentException.class, () -> Snapshots.read(bytes, BOUNDS));
  }

  // ---------------------------------------------------------------- the words of this test

  private static Draft draft(long number, String id, long sequenceNr, String event) {
    return draft(epoch(1, number), id, sequenceNr, event);
  }

  private static Draft draft(Turn turn, String id, long sequenceNr, String event) {
    return Draft.of(turn, id, sequenceNr, event);
  }

  private static Turn epoch(long epoch, long number) {
    return new Turn(1, epoch, number);
  }

  private Verdict append(Draft draft) {
    return apply(draft.done());
  }

  private Verdict apply(Append append) {
    return apply(new AppendBatch(List.of(append)));
  }

  private Verdict delete(long number, String id, long to) {
    return apply(new DeleteTo(epoch(1, number), id, to));
  }

  private Verdict apply(JournalCommand command) {
    return journal.apply(journal.index() + 1, command, this::fence, this::isAlive).get(0);
  }

  private long fence(int shard) {
    return fences.getOrDefault(shard, 0L);
  }

  private boolean isAlive(long id, long incarnation) {
    return alive.contains(new LeaseRef(id, incarnation));
  }

  /** Applied, with the last public change of this generation being the {@code count}th. */
  private static Verdict applied(long count) {
    return revisionOf(count);
  }

  private static Verdict revisionOf(long count) {
    return new Verdict.Applied(revision(count));
  }

  private static long revision(long count) {
    return (3L << 48) + count;
  }

  private Replay replay(String id, long from) {
    return journal.version().replay(1, id, from);
  }

  private List<String> events(String id) {
    return replay(id, 1).events().stream().map(Bytes::text).toList();
  }

  private OptionalLong highest(String id) {
    return journal.version().highestSequenceNr(1, id);
  }

  private Optional<String> outcome(Client client, long number) {
    return journal.version().request(1, client, number).map(Bytes::text);
  }

  private static List<String> keys(List<PublicRecord> records) {
    List<String> keys = new ArrayList<>();
    records.forEach(found -> keys.add(found.key()));
    return keys;
  }
}
