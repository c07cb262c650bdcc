package io.holdfast.journal.state;

import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The journal: the histories of all ids, by shard, and their public records.
 *
 * <p>It is a function of the appends and of the answers of {@link Fences}: the same appends give
 * the same verdicts and the same content on every member.
 *
 * <p>One thread changes it and takes versions. Any thread may read a {@link JournalVersion}, for
 * any time.
 */
public final class JournalState {

  private final Bounds bounds;
  private final SortedMap<ShardId, Shard> shards = new TreeMap<>();
  private final LeaseTable leases;
  private final LeaseIndex attached;
  private final RevisionCounter revisions;
  private final SizeAccount account;
  private long index;

  /**
   * An empty journal.
   *
   * @param generation of the cluster; a restore of an older state raises it
   */
  public JournalState(Bounds bounds, int generation) {
    this(
        bounds,
        0,
        RevisionCounter.first(generation),
        SortedBytes.EMPTY,
        SortedBytes.EMPTY,
        List.of(),
        new SizeAccount());
  }

  /**
   * A journal of this content.
   *
   * @param account an account that already counts the shards
   */
  JournalState(
      Bounds bounds,
      long index,
      Revision revision,
      SortedBytes leases,
      SortedBytes attached,
      List<Shard> shards,
      SizeAccount account) {
    this.account = account;
    this.bounds = bounds;
    this.index = index;
    this.revisions = new RevisionCounter(revision);
    this.leases = new LeaseTable(leases, index, account);
    this.attached = new LeaseIndex(attached, account);
    shards.forEach(shard -> this.shards.put(shard.id(), shard));
  }

  /**
   * Applies the appends of one entry. Each is judged alone, after those before it.
   *
   * @param index of the entry in the log, higher than all before
   * @param effects collects the effects beyond the verdicts
   * @return a verdict for each append, in their order
   */
  public List<Verdict> apply(long index, List<Append> appends, Fences fences, Effects effects) {
    if (index <= this.index) {
      throw new IllegalStateException(
          "index [" + index + "] is not above the last one [" + this.index + "]");
    }
    this.index = index;
    leases.next(index);
    ApplyContext applying =
        new ApplyContext(fences, effects, revisions, leases, attached, shards, account);
    List<Verdict> verdicts = new ArrayList<>(appends.size());
    for (Append append : appends) {
      verdicts.add(shard(append.id().shard()).append(append, applying));
    }
    return verdicts;
  }

  /** Applies appends and drops their effects. */
  List<Verdict> apply(long index, List<Append> appends, Fences fences) {
    return apply(index, appends, fences, new Effects());
  }

  private Shard shard(ShardId id) {
    return shards.computeIfAbsent(id, created -> new Shard(created, bounds, account));
  }

  /** The number of the last public change. */
  public Revision revision() {
    return revisions.current();
  }

  /** The size of the content. */
  public Footprint footprint() {
    return account.footprint();
  }

  /** The index of the last entry. */
  public long index() {
    return index;
  }

  /** The current content, for readers. Costs a few words for each shard. */
  public JournalVersion version() {
    return version(Fullness.NONE.next(footprint(), Long.MAX_VALUE));
  }

  /** As {@link #version()}, with the fullness that its node sees. */
  public JournalVersion version(Fullness fullness) {
    List<Shard.Frozen> frozen = new ArrayList<>(shards.size());
    shards.values().forEach(shard -> frozen.add(shard.freeze()));
    return new JournalVersion(
        bounds,
        index,
        revisions.current(),
        frozen,
        leases.alive(),
        leases.ends(),
        attached.attached(),
        fullness);
  }
}
