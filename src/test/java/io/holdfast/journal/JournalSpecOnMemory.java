package io.holdfast.journal;

import io.holdfast.id.Epoch;
import io.holdfast.journal.state.Bounds;

/** Akka's own tests of a journal, over the store in memory; the test owns the shard. */
public final class JournalSpecOnMemory extends JournalSpecWithoutDeletion {

  private static final long serialVersionUID = 1L;
  private static final Bounds BOUNDS = new Bounds(1_000, 1024, 16, 16, 16);

  public JournalSpecOnMemory() {
    JournalAccess.get(system())
        .open(
            new InMemoryJournalStore(BOUNDS, shard -> new Epoch(FencingAdapter.EPOCH)),
            id -> FencingAdapter.SHARD);
  }
}
