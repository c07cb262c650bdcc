package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A journal whose shards 1 and 2 are in epoch 1, and methods to append and to read. */
abstract class JournalFixture {

  static final Bounds BOUNDS = new Bounds(4, 8, 3, 5, 3);
  static final LeaseLife LEASE = LeaseLife.of(new LeaseId(7), new Revision(1));

  final Map<ShardId, Epoch> fences =
      new HashMap<>(Map.of(ShardId.of(1), new Epoch(1), ShardId.of(2), new Epoch(1)));
  final Effects effects = new Effects();
  JournalState journal = withLeases(LEASE);

  /** An empty journal in which these leases are alive. */
  static JournalState withLeases(LeaseLife... leases) {
    LeaseTable table = new LeaseTable(SortedBytes.EMPTY, 0, new SizeAccount());
    List.of(leases).forEach(table::begins);
    return new JournalState(
        BOUNDS,
        0,
        RevisionCounter.first(3),
        table.alive(),
        SortedBytes.EMPTY,
        List.of(),
        new SizeAccount());
  }

  static RequestKey session(long number, long lowestOpen) {
    return new RequestKey.Numbered(LEASE, number, lowestOpen);
  }

  static RequestKey named(String id) {
    return new RequestKey.Named("alice", id);
  }

  static AppendBuilder draft(long number, String id, long sequenceNr, String event) {
    return draft(epoch(1, number), id, sequenceNr, event);
  }

  static AppendBuilder draft(AppendId appendId, String id, long sequenceNr, String event) {
    return AppendBuilder.of(appendId, id, sequenceNr, event);
  }

  static AppendId epoch(long epoch, long number) {
    return new AppendId(ShardId.of(1), new Epoch(epoch), number);
  }

  Verdict append(AppendBuilder draft) {
    return apply(draft.done());
  }

  Verdict apply(Append append) {
    return apply(List.of(append)).get(0);
  }

  List<Verdict> apply(List<Append> appends) {
    return journal.apply(journal.index() + 1, appends, this::fence, effects);
  }

  Epoch fence(ShardId shard) {
    return fences.getOrDefault(shard, Epoch.NONE);
  }

  /** Applied, with the last public change of this generation being the {@code count}th. */
  static Verdict applied(long count) {
    return new Verdict.Applied(revision(count), 0);
  }

  static Revision revision(long count) {
    return new Revision((3L << 48) + count);
  }

  Replay replay(String id, long from) {
    return journal.version().replay(ShardId.of(1), new PersistenceId(id), from);
  }

  List<String> events(String id) {
    return replay(id, 1).events().stream().map(Bytes::text).toList();
  }

  OptionalLong highest(String id) {
    return journal.version().highestSequenceNr(ShardId.of(1), new PersistenceId(id));
  }

  Optional<String> outcome(RequestKey request) {
    return journal.version().request(ShardId.of(1), request).map(Bytes::text);
  }

  static List<PersistenceId> ids(String... ids) {
    return Stream.of(ids).map(PersistenceId::new).toList();
  }

  static List<String> keys(List<PublicRecord> records) {
    List<String> keys = new ArrayList<>();
    records.forEach(found -> keys.add(found.id().value()));
    return keys;
  }
}
