package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.journal.state.Verdict;
import io.holdfast.simulation.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * I9: an append with an old epoch, number or sequence never takes effect, and no duplicate ever
 * does. Nor does one without the leases that it needs, or a grant of what is held; and nothing that
 * is to be seen hangs on a lease that has ended.
 */
final class OneWriter implements JournalInvariant {

  /** A key's history, as long as it is not forgotten. */
  record Kept(long highest, LockView view) {}

  private final JournalWorld world;
  private final Map<ShardId, Ownership> owners = new HashMap<>();
  private final Set<Epoch> epochs = new HashSet<>();
  private final Map<Epoch, Long> numbers = new HashMap<>();
  private final Set<Long> tookEffect = new HashSet<>();
  private final Set<LeaseLife> alive = new HashSet<>();
  private final List<Append> touched = new ArrayList<>();
  private final Map<String, Kept> kept = new TreeMap<>();

  OneWriter(JournalWorld world) {
    this.world = world;
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    verdict.ended().forEach(ended -> ended.shards().forEach(owners::remove));
    if (verdict instanceof CoordinationVerdict.Acquired acquired) {
      Ownership now = Ownership.of(acquired);
      require(epochs.add(now.epoch()), "an epoch is given twice", now);
      owners.put(acquired.shard(), now);
    } else if (verdict instanceof CoordinationVerdict.Released released) {
      owners.remove(released.shard());
    }
  }

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    if (!(verdict instanceof Verdict.Applied applied)) {
      return;
    }
    touched.add(append);
    Epoch epoch = append.id().epoch();
    Long last = numbers.get(epoch);
    if (last != null && append.id().number() <= last) {
      changes.forEach(change -> require(isApplied(change), "an old number", change));
      return; // a copy, with the verdict of the first: whether it took effect is seen below
    }
    numbers.put(epoch, append.id().number());
    take(append, changes);
    lease(append, applied.revision().value());
  }

  /** The journal holds what took effect here, and nothing else. */
  @Override
  public void entryJudged() {
    JournalVersion journal = world.chronicle().journal();
    for (Append append : touched) {
      String key = append.persistenceId().value();
      long highest =
          journal.highestSequenceNr(append.id().shard(), new PersistenceId(key)).orElse(0);
      require(highest == kept(key).highest(), "the journal is elsewhere", kept(key));
    }
    if (touched.stream().anyMatch(append -> append.draft().leaseChange() != null)) {
      journal.list("", "", Integer.MAX_VALUE).forEach(this::hangsOnTheLiving);
    }
    touched.clear();
  }

  private void hangsOnTheLiving(PublicRecord record) {
    for (Part part : record.parts()) {
      LeaseLife lease = part.lease();
      require(lease == null || alive.contains(lease), "what hangs on a dead lease", record);
    }
  }

  private void take(Append append, List<Change> changes) {
    Kept before = kept(append.persistenceId().value());
    require(append.sequenceNr() == before.highest() + 1, "an old sequence number", changes);
    for (LeaseLife lease : append.draft().whileAlive()) {
      require(alive.contains(lease), "a lease is dead", changes);
    }
    LockView view = before.view();
    for (Change change : changes) {
      Ownership owner = owners.get(change.under().shard());
      require(change.under().equals(owner), "another is the owner", change);
      require(change.under().epoch().equals(append.id().epoch()), "a borrowed epoch", change);
      require(tookEffect.add(change.id()), "a duplicate", change);
      boolean isGrant = change.kind() == Change.Kind.GRANTED;
      require(isGrant != view.isHeld(), "a grant of what is held, or an end of nothing", change);
      view = view.after(change);
    }
    if (append.draft().tombstone()) {
      kept.remove(append.persistenceId().value());
    } else {
      kept.put(append.persistenceId().value(), new Kept(append.sequenceNr(), view));
    }
  }

  private void lease(Append append, long revision) {
    if (append.draft().leaseChange() instanceof LeaseChange.Begins begins) {
      boolean isAlive = alive.stream().anyMatch(lease -> lease.id().equals(begins.id()));
      require(!isAlive, "a lease begins twice", append);
      alive.add(LeaseLife.of(begins.id(), new Revision(revision)));
    } else if (append.draft().leaseChange() instanceof LeaseChange.Ends ends) {
      require(alive.remove(ends.lease()), "a lease ends twice", append);
    }
  }

  Kept kept(String key) {
    return kept.getOrDefault(key, new Kept(0, LockView.NEW));
  }

  boolean isApplied(Change change) {
    return tookEffect.contains(change.id());
  }

  private static void require(boolean holds, String what, Object where) {
    if (!holds) {
      throw new Violation("I9 OneWriter", what + ": " + where);
    }
  }
}
