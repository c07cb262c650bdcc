package io.holdfast.bench.persist;

import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.EventSeq;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.state.Draft;

/**
 * One writer's notes on their way to the journal and back, as a lock's events go: under the epoch
 * of when the writer was made, and now and then with the state in place of the history.
 */
final class FencedNotes extends EventAdapter<Note, Object> {

  /** As often as a lock: the journal refuses an event when twice as many have come without. */
  private static final int STATE_EVERY = 16;

  private final OwnedShard owned;
  private int notesSinceState;

  FencedNotes(OwnedShard owned) {
    this.owned = owned;
  }

  @Override
  public Object toJournal(Note note) {
    boolean replaces = ++notesSinceState >= STATE_EVERY;
    if (replaces) {
      notesSinceState = 0;
    }
    return new FencedEvent<>(
        owned.shard(), owned.epoch(), note, new Tally(note.number()), replaces, Draft.NONE);
  }

  @Override
  public EventSeq<Note> fromJournal(Object event, String manifest) {
    notesSinceState++;
    return EventSeq.single((Note) event);
  }

  @Override
  public String manifest(Note note) {
    return "";
  }
}
