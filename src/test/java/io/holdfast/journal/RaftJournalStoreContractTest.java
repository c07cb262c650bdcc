package io.holdfast.journal;

import io.holdfast.id.Epoch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

class RaftJournalStoreContractTest extends JournalStoreContract {

  private final JournalStateMachine machine =
      new JournalStateMachine(BOUNDS, shard -> new Epoch(epoch.get()), 1);
  private final LogInMemory log = new LogInMemory(machine);
  private final JournalStore store =
      new RaftJournalStore(
          log,
          machine,
          1024,
          RaftJournalStore.MANY,
          CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));

  @Override
  JournalStore store() {
    return store;
  }

  @Override
  ChangeFeed feed() {
    return machine;
  }

  @Override
  LeaseEndFeed ends() {
    return machine;
  }

  @AfterEach
  void close() {
    log.close();
  }
}
