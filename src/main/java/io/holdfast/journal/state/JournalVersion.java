package io.holdfast.journal.state;

import io.holdfast.bytes.ByteSink;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The content of the journal after one entry. It is immutable: any thread may read it. */
public final class JournalVersion {

  private final Bounds bounds;
  private final long index;
  private final Revision revision;
  private final List<Shard.Frozen> shards; // in order
  private final SortedBytes leases;
  private final RecentEnds ends;
  private final SortedBytes attached;
  private final Fullness fullness;

  JournalVersion(
      Bounds bounds,
      long index,
      Revision revision,
      List<Shard.Frozen> shards,
      SortedBytes leases,
      RecentEnds ends,
      SortedBytes attached,
      Fullness fullness) {
    this.bounds = bounds;
    this.index = index;
    this.revision = revision;
    this.shards = shards;
    this.leases = leases;
    this.ends = ends;
    this.attached = attached;
    this.fullness = fullness;
  }

  /** The size compared with its bound, as this node saw it. */
  public Fullness fullness() {
    return fullness;
  }

  /** The index of the last entry that it includes. */
  public long index() {
    return index;
  }

  /** The number of the last public change that it includes. */
  public Revision revision() {
    return revision;
  }

  /** The state of an id, unless only later events are asked for, and its events. */
  public Replay replay(ShardId shard, PersistenceId persistenceId, long fromSequenceNr) {
    return history(shard, persistenceId)
        .map(history -> history.replay(fromSequenceNr))
        .orElse(Replay.EMPTY);
  }

  /** The number of the id's last event; empty if there is none, or if the id was forgotten. */
  public OptionalLong highestSequenceNr(ShardId shard, PersistenceId persistenceId) {
    return history(shard, persistenceId).stream().mapToLong(History::highest).findFirst();
  }

  /** The public record of an id, if it has one. */
  public Optional<PublicRecord> record(ShardId shard, PersistenceId id) {
    return frozen(shard)
        .map(found -> found.histories().pieces(bytes(id)))
        .flatMap(history -> RecordList.record(id, history[0]));
  }

  /** The shards that have a history, in order. */
  public List<ShardId> liveShards() {
    return shards.stream()
        .filter(shard -> !shard.histories().isEmpty())
        .map(Shard.Frozen::id)
        .toList();
  }

  /** The ids of a shard after this one (empty for all), in order, up to a limit. */
  public List<PersistenceId> liveIds(ShardId shard, String after, int limit) {
    List<PersistenceId> ids = new ArrayList<>();
    if (limit > 0) {
      frozen(shard)
          .ifPresent(
              found ->
                  found
                      .histories()
                      .scan(
                          following(after),
                          (key, value) ->
                              ids.add(new PersistenceId(Bytes.of(key).text()))
                                  && ids.size() < limit));
    }
    return ids;
  }

  /**
   * The records whose keys have this prefix, after this key (empty for all), in the order of the
   * bytes, up to a limit. Reads only these, one more of each shard, and keys without a record.
   */
  public List<PublicRecord> list(String prefix, String after, int limit) {
    RecordList list = new RecordList(limit);
    shards.forEach(shard -> list.add(shard.histories(), prefix, following(after)));
    return list.records();
  }

  /** The records of one shard, as {@link #list(String, String, int)}. */
  public List<PublicRecord> list(ShardId shard, String prefix, String after, int limit) {
    RecordList list = new RecordList(limit);
    frozen(shard).ifPresent(found -> list.add(found.histories(), prefix, following(after)));
    return list.records();
  }

  /** The incarnation of a lease that is alive, if one is. */
  public Optional<LeaseLife> lease(LeaseId id) {
    return LeaseTable.life(leases, id);
  }

  /**
   * The leases that ended after an entry of the log, and up to this version.
   *
   * @return empty if they are more than that, or if this node does not know all of them
   */
  public Optional<List<LeaseLife>> endedSince(long index, int most) {
    return ends.since(index, most);
  }

  /** The number of leases that are alive. */
  public int leaseCount() {
    return leases.size();
  }

  /** The number of ids that are attached to a lease. */
  public int attachedCount(LeaseLife lease) {
    return LeaseIndex.count(attached, lease);
  }

  /** The ids that are attached to a lease. */
  public List<AttachedId> attachedTo(LeaseLife lease) {
    return LeaseIndex.of(attached, lease);
  }

  /** The outcome of a request that a shard answered, if it is still kept. */
  public Optional<Bytes> request(ShardId shard, RequestKey request) {
    return frozen(shard).flatMap(found -> RequestOutcomes.outcome(found.requests(), request));
  }

  /** The number of outcomes of named requests that a shard keeps. */
  public int requestCount(ShardId shard) {
    return frozen(shard).map(found -> RequestOutcomes.named(found.requests())).orElse(0);
  }

  /** The number of these outcomes that belong to the client of this request. */
  public int requestCount(ShardId shard, RequestKey.Named ofClient) {
    return frozen(shard).map(found -> RequestOutcomes.named(found.requests(), ofClient)).orElse(0);
  }

  /**
   * True if a shard no longer knows the outcome of a session's request, which may have been
   * answered.
   */
  public boolean isForgotten(ShardId shard, RequestKey.Numbered request) {
    return frozen(shard)
        .filter(found -> RequestOutcomes.isForgotten(found.requests(), request))
        .isPresent();
  }

  /**
   * The number of named requests that a shard has ever answered: the place of the last one. With
   * {@link Draft#forgetBefore} the owner says which of them are old enough to be forgotten.
   */
  public long lastOrder(ShardId shard) {
    return frozen(shard).map(Shard.Frozen::lastOrder).orElse(0L);
  }

  /** The latest epoch under which a shard was written, if it ever was. */
  public Epoch epoch(ShardId shard) {
    return frozen(shard).map(found -> found.verdicts().epoch()).orElse(Epoch.NONE);
  }

  /**
   * A hash of the content. Two members have the same if their journals are equal, whatever their
   * past, and hardly otherwise.
   */
  public long digest() {
    Digest digest = new Digest();
    writeTo(digest);
    return digest.value();
  }

  /** Writes the snapshot, in pieces. */
  public void writeTo(ByteSink sink) {
    new SnapshotWriter(sink).write(bounds, index, revision, shards, leases, attached);
  }

  private Optional<Shard.Frozen> frozen(ShardId shard) {
    int low = 0;
    int high = shards.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (shards.get(middle).id().compareTo(shard) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < shards.size() && shards.get(low).id().equals(shard)
        ? Optional.of(shards.get(low))
        : Optional.empty();
  }

  private Optional<History> history(ShardId shard, PersistenceId persistenceId) {
    return frozen(shard)
        .flatMap(
            found -> {
              byte[][] pieces = found.histories().pieces(bytes(persistenceId));
              return pieces == null
                  ? Optional.empty()
                  : Optional.of(History.decode(persistenceId, pieces));
            });
  }

  private static byte[] bytes(PersistenceId id) {
    return Bytes.of(id.value()).array();
  }

  /** The least key that is greater than this one; the least of all keys if this one is empty. */
  private static byte[] following(String after) {
    return after.isEmpty() ? new byte[0] : Bytes.of(after + '\0').array();
  }
}
