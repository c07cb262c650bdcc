package io.holdfast.journal.state;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The journal: the histories of all ids, by shard, and what they leave for everyone to see.
 *
 * <p>It is a function of the commands and of the answers of {@link Fences}: the same commands give
 * the same verdicts and the same content on every member.
 *
 * <p>One thread changes it and takes versions; a {@link JournalVersion} may be read by any thread,
 * for as long as it is wanted.
 */
public final class JournalState {

  private final Bounds bounds;
  private final SortedMap<Integer, Shard> shards = new TreeMap<>();
  private final LeaseTable leases;
  private final LeaseIndex attached;
  private final Revisions revisions;
  private final Account account;
  private long index;

  /**
   * An empty journal.
   *
   * @param generation of the cluster; raised when an older state of it is brought back
   */
  public JournalState(Bounds bounds, int generation) {
    this(
        bounds,
        0,
        Revisions.first(generation),
        SortedBytes.EMPTY,
        SortedBytes.EMPTY,
        List.of(),
        new Account());
  }

  /**
   * A journal of this content.
   *
   * @param account that the shards are in
   */
  JournalState(
      Bounds bounds,
      long index,
      long revision,
      SortedBytes leases,
      SortedBytes attached,
      List<Shard> shards,
      Account account) {
    this.account = account;
    this.bounds = bounds;
    this.index = index;
    this.revisions = new Revisions(revision);
    this.leases = new LeaseTable(leases, account);
    this.attached = new LeaseIndex(attached, account);
    shards.forEach(shard -> this.shards.put(shard.id(), shard));
  }

  /**
   * Applies one command.
   *
   * @param index where it stands in the log, higher than all before
   * @param effects gets what it does beyond the verdicts
   * @return a verdict for each append of a batch, in their order, or the one of another command
   */
  public List<Verdict> apply(long index, JournalCommand command, Fences fences, Effects effects) {
    if (index <= this.index) {
      throw new IllegalStateException(
          "index [" + index + "] is not above the last one [" + this.index + "]");
    }
    this.index = index;
    Applying applying = new Applying(fences, effects, revisions, leases, attached, shards, account);
    return command.match(
        new JournalCommand.Cases<>() {
          @Override
          public List<Verdict> appendBatch(JournalCommand.AppendBatch batch) {
            List<Verdict> verdicts = new ArrayList<>(batch.appends().size());
            for (Append append : batch.appends()) {
              Shard shard = shard(append.turn().shard());
              verdicts.add(shard.append(append, applying));
            }
            return verdicts;
          }

          @Override
          public List<Verdict> deleteTo(JournalCommand.DeleteTo delete) {
            return List.of(shard(delete.turn().shard()).delete(delete, applying));
          }

          @Override
          public List<Verdict> saveSnapshot(JournalCommand.SaveSnapshot save) {
            return List.of(shard(save.turn().shard()).save(save, applying));
          }

          @Override
          public List<Verdict> deleteSnapshots(JournalCommand.DeleteSnapshots delete) {
            return List.of(shard(delete.turn().shard()).delete(delete, applying));
          }
        });
  }

  /** Applies one command whose effects nobody wants to know. */
  List<Verdict> apply(long index, JournalCommand command, Fences fences) {
    return apply(index, command, fences, new Effects());
  }

  private Shard shard(int id) {
    return shards.computeIfAbsent(id, created -> new Shard(created, bounds, account));
  }

  /** The number of the last public change. */
  public long revision() {
    return revisions.current();
  }

  /** How large all that is kept is. */
  public Footprint footprint() {
    return account.footprint();
  }

  /** The index of the last command. */
  public long index() {
    return index;
  }

  /** The journal as it is now, for readers. Costs a few words for each shard. */
  public JournalVersion version() {
    return version(Fullness.NONE.next(footprint(), Long.MAX_VALUE));
  }

  /** As {@link #version()}, which is so full as its node sees it. */
  public JournalVersion version(Fullness fullness) {
    List<Shard.Frozen> frozen = new ArrayList<>(shards.size());
    shards.values().forEach(shard -> frozen.add(shard.freeze()));
    return new JournalVersion(
        bounds, index, revisions.current(), frozen, leases.alive(), attached.attached(), fullness);
  }
}
