package holdfast.journal;

class InMemoryJournalStoreTest extends JournalStoreContract {

  private final JournalStore store =
      new InMemoryJournalStore(BOUNDS, shard -> epoch.get(), (id, incarnation) -> true);

  @Override
  JournalStore store() {
    return store;
  }
}
