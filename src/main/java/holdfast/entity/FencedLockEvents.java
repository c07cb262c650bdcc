package holdfast.entity;

import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.EventSeq;
import holdfast.coordination.OwnedShard;
import holdfast.journal.FencedEvent;
import holdfast.journal.LockRecord;
import holdfast.journal.state.PublicChange;
import holdfast.lock.LockEvent;
import holdfast.lock.LockState;
import java.util.List;

/**
 * One lock's events on their way to the journal and back: each goes there with the epoch under
 * which the lock's actor was made, with what it leaves for everyone to see, and now and then with
 * the state in place of the history. Belongs to one actor.
 */
final class FencedLockEvents extends EventAdapter<LockEvent, Object> {

  /** The journal refuses an event when twice as many have come without a state. */
  static final int STATE_EVERY = 16;

  private final OwnedShard owned;
  private LockState lock = LockState.FREE;
  private int eventsSinceState;

  FencedLockEvents(OwnedShard owned) {
    this.owned = owned;
  }

  /** The lock is this, after recovery. */
  void recovered(LockState state) {
    lock = state;
  }

  @Override
  public Object toJournal(LockEvent event) {
    lock = lock.apply(event);
    boolean forgotten = event instanceof LockEvent.Forgotten;
    boolean replaces = ++eventsSinceState >= STATE_EVERY && !forgotten;
    if (replaces) {
      eventsSinceState = 0;
    }
    LockRecord is = new LockRecord(lock);
    return new FencedEvent(
        owned.shard(),
        owned.epoch(),
        event,
        replaces ? is : null,
        lock.isFree() ? new PublicChange.Absent() : new PublicChange.Set(is.toBytes()),
        List.of(),
        List.of(),
        List.of(),
        forgotten);
  }

  @Override
  public EventSeq<LockEvent> fromJournal(Object event, String manifest) {
    eventsSinceState++;
    return EventSeq.single((LockEvent) event);
  }

  @Override
  public String manifest(LockEvent event) {
    return "";
  }
}
