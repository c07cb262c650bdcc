package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The context in which an entry is applied: the parts that all shards share, and the collected
 * effects.
 */
record ApplyContext(
    Fences fences,
    Effects effects,
    RevisionCounter revisions,
    LeaseTable leases,
    LeaseIndex attached,
    Map<ShardId, Shard> shards,
    SizeAccount account) {

  /** The refusal of an append that needs more room than there is; empty if there is enough. */
  Optional<Verdict> full(Need need) {
    if (need == Need.NOTHING) {
      return Optional.empty();
    }
    long max = fences.maxSize();
    return account.size() < need.most(max)
        ? Optional.empty()
        : Optional.of(new Verdict.StateFull(max));
  }

  /** The record after an append's changes; null if there is none. */
  @Nullable PublicRecord changed(Append append, @Nullable PublicRecord before) {
    PublicRecord left = before;
    for (PublicChange change : append.draft().changes()) {
      left = changed(append.persistenceId(), left, change);
    }
    return left;
  }

  private @Nullable PublicRecord changed(
      PersistenceId id, @Nullable PublicRecord before, PublicChange change) {
    PublicRecord after;
    Bytes note;
    if (change instanceof PublicChange.Set set) {
      after = PublicRecord.set(id, before, set.parts(), revisions.next());
      note = set.note();
    } else if (change instanceof PublicChange.Absent absent) {
      if (before == null) {
        return null;
      }
      revisions.next();
      after = null;
      note = absent.note();
    } else {
      throw new AssertionError(change);
    }
    effects.changed(new Change(revisions.current(), id, before, after, note));
    return after;
  }

  /** Those of the leases to which an append attaches its id that are alive. */
  List<LeaseLife> living(Append append) {
    List<LeaseLife> attach = append.draft().attach();
    return attach.isEmpty() ? attach : attach.stream().filter(leases::isAlive).toList();
  }

  /**
   * Removes a lease that has ended from all shards, at one revision.
   *
   * @param by the append that ended it
   * @param own the record that its id had, if any
   * @return the number of parts of other records that ended with it
   */
  int ended(LeaseLife lease, Append by, @Nullable PublicRecord own) {
    Bytes note =
        by.draft().changes().get(0) instanceof PublicChange.Absent gone ? gone.note() : Bytes.EMPTY;
    Revision revision = revisions.current().next();
    List<Change> changes = new ArrayList<>();
    if (own != null) {
      changes.add(new Change(revision, by.persistenceId(), own, null, note));
    }
    int parts = 0;
    List<AttachedId> had = new ArrayList<>();
    for (LeaseIndex.Attached each : attached.ended(lease)) {
      had.add(each.id());
      Shard shard = shards.get(each.id().shard());
      if (shard != null) {
        parts += shard.detach(each, lease, revision, note, changes);
      }
    }
    shards.values().forEach(shard -> shard.leaseEnded(lease));
    if (!changes.isEmpty()) {
      revisions.next();
    }
    effects.changed(changes);
    effects.leaseEnded(new LeaseEnd(lease, note, had));
    return parts;
  }
}
