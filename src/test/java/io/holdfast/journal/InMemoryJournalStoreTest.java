package io.holdfast.journal;

class InMemoryJournalStoreTest extends JournalStoreContract {

  private final InMemoryJournalStore store = new InMemoryJournalStore(BOUNDS, shard -> epoch.get());

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
