package holdfast.entity;

import akka.persistence.typed.SnapshotAdapter;
import holdfast.coordination.OwnedShard;
import holdfast.journal.FencedSnapshot;
import holdfast.journal.LockRecord;
import holdfast.lock.LockState;

/** A lock's state as the journal keeps it. */
final class LockSnapshots implements SnapshotAdapter<LockState> {

  private final OwnedShard owned;

  LockSnapshots(OwnedShard owned) {
    this.owned = owned;
  }

  @Override
  public Object toJournal(LockState state) {
    return new FencedSnapshot(owned.shard(), owned.epoch(), new LockRecord(state));
  }

  @Override
  public LockState fromJournal(Object from) {
    return ((LockRecord) from).lock();
  }
}
