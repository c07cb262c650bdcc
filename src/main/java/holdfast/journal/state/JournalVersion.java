package holdfast.journal.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The journal as it was after one command. Immutable: any thread may read it. */
public final class JournalVersion {

  private final Bounds bounds;
  private final long index;
  private final long revision;
  private final List<Shard.Frozen> shards;
  private final Map<Integer, Shard.Frozen> byId = new HashMap<>();
  private final SortedBytes attached;

  JournalVersion(
      Bounds bounds, long index, long revision, List<Shard.Frozen> shards, SortedBytes attached) {
    this.bounds = bounds;
    this.index = index;
    this.revision = revision;
    this.shards = shards;
    shards.forEach(shard -> byId.put(shard.id(), shard));
    this.attached = attached;
  }

  /** The index of the last command that it counts in. */
  public long index() {
    return index;
  }

  /** The number of the last public change that it counts in. */
  public long revision() {
    return revision;
  }

  /** What an id is made of: its state, unless only later events are asked for, and its events. */
  public Replay replay(int shard, String persistenceId, long fromSequenceNr) {
    return history(shard, persistenceId)
        .map(history -> history.replay(fromSequenceNr))
        .orElse(Replay.EMPTY);
  }

  /**
   * The last of an id's snapshots in a range: of those that were saved, and of the state that the
   * journal keeps of it, whose time is 0.
   */
  public Optional<SavedSnapshot> snapshot(int shard, String persistenceId, SnapshotRange range) {
    List<SavedSnapshot> all = new ArrayList<>(snapshots(shard, persistenceId));
    history(shard, persistenceId)
        .ifPresent(
            history -> {
              Bytes state = history.state();
              if (state != null) {
                all.add(new SavedSnapshot(history.stateSequenceNr(), 0, state));
              }
            });
    return all.stream()
        .filter(range::includes)
        .max(Comparator.comparingLong(SavedSnapshot::sequenceNr));
  }

  /** The snapshots that were saved of an id, the oldest first. */
  public List<SavedSnapshot> snapshots(int shard, String persistenceId) {
    return frozen(shard)
        .map(found -> Shard.snapshots(found.snapshots(), Bytes.of(persistenceId).array()).saved())
        .orElse(List.of());
  }

  /** The number of the id's last event; empty if there is none, or it was forgotten. */
  public OptionalLong highestSequenceNr(int shard, String persistenceId) {
    return history(shard, persistenceId).stream().mapToLong(History::highest).findFirst();
  }

  /** What everyone may see of a key, if anything. */
  public Optional<PublicRecord> publicRecord(int shard, String key) {
    return history(shard, key).flatMap(history -> seen(key, history));
  }

  /** The ids of a shard after this one (empty for all), in order, at most so many. */
  public List<String> liveKeys(int shard, String after, int limit) {
    List<String> keys = new ArrayList<>();
    if (byId.containsKey(shard) && limit > 0) {
      byId.get(shard)
          .histories()
          .scan(
              following(after),
              (key, value) -> keys.add(Bytes.of(key).text()) && keys.size() < limit);
    }
    return keys;
  }

  /** The records whose key begins so, after this key (empty for all), in order, at most so many. */
  public List<PublicRecord> list(String prefix, String after, int limit) {
    List<PublicRecord> all = new ArrayList<>();
    shards.forEach(shard -> list(shard, prefix, after, limit, all));
    // The order of the bytes, in which each shard gave its own.
    all.sort(Comparator.comparing(found -> Bytes.of(found.key()).array(), Arrays::compareUnsigned));
    return List.copyOf(all.subList(0, Math.min(limit, all.size())));
  }

  /** The records of one shard, as {@link #list(String, String, int)}. */
  public List<PublicRecord> list(int shard, String prefix, String after, int limit) {
    List<PublicRecord> found = new ArrayList<>();
    if (byId.containsKey(shard)) {
      list(byId.get(shard), prefix, after, limit, found);
    }
    return found;
  }

  private static void list(
      Shard.Frozen shard, String prefix, String after, int limit, List<PublicRecord> into) {
    int full = into.size() + limit;
    if (limit > 0) {
      shard
          .histories()
          .scan(
              Bytes.of(prefix).array(),
              following(after),
              (key, value) -> {
                seen(Bytes.of(key).text(), History.decode(value)).ifPresent(into::add);
                return into.size() < full;
              });
    }
  }

  /** The ids that hang on a lease. */
  public List<AttachedId> attachedTo(long lease, long incarnation) {
    return LeaseIndex.of(attached, new LeaseRef(lease, incarnation));
  }

  /** The outcome of a request that a shard answered, if it is still kept. */
  public Optional<Bytes> request(int shard, Client client, long number) {
    return frozen(shard).flatMap(found -> Requests.outcome(found.requests(), client, number));
  }

  /**
   * A number that two members share if their journals are equal, and hardly otherwise: of the
   * content, whatever came before it.
   */
  public long digest() {
    Digest digest = new Digest();
    writeTo(digest);
    return digest.value();
  }

  /** Writes all of it, in pieces. */
  public void writeTo(ByteSink sink) {
    new SnapshotWriter(sink).write(bounds, index, revision, shards, attached);
  }

  private Optional<Shard.Frozen> frozen(int shard) {
    return byId.containsKey(shard) ? Optional.of(byId.get(shard)) : Optional.empty();
  }

  private Optional<History> history(int shard, String persistenceId) {
    return frozen(shard)
        .flatMap(
            found -> {
              byte[] bytes = found.histories().get(Bytes.of(persistenceId).array());
              return bytes == null ? Optional.empty() : Optional.of(History.decode(bytes));
            });
  }

  private static Optional<PublicRecord> seen(String key, History history) {
    Bytes content = history.publicRecord();
    return content == null
        ? Optional.empty()
        : Optional.of(new PublicRecord(key, content, history.publicRevision()));
  }

  /** The least key that is greater than this one; the least of all for the empty one. */
  private static byte[] following(String after) {
    return after.isEmpty() ? new byte[0] : Bytes.of(after + '\0').array();
  }
}
