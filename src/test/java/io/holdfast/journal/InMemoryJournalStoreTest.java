package io.holdfast.journal;

import io.holdfast.id.Epoch;

class InMemoryJournalStoreTest extends JournalStoreContract {

  private final InMemoryJournalStore store =
      new InMemoryJournalStore(BOUNDS, shard -> new Epoch(epoch.get()));

  @Override
  JournalStore store() {
    return store;
  }

  @Override
  ChangeFeed feed() {
    return store;
  }

  @Override
  LeaseEndFeed ends() {
    return store;
  }
}
