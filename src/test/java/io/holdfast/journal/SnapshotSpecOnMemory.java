package io.holdfast.journal;

import akka.persistence.japi.snapshot.JavaSnapshotStoreSpec;
import com.typesafe.config.ConfigFactory;

/** Akka's own tests of a snapshot store, over the store in memory; the test owns the shard. */
public final class SnapshotSpecOnMemory extends JavaSnapshotStoreSpec {

  private static final long serialVersionUID = 1L;

  public SnapshotSpecOnMemory() {
    super(ConfigFactory.parseResources("journal-tck.conf").withFallback(ConfigFactory.load()));
    JournalAccess.get(system()).open(JournalSpecOnMemory.store(), id -> FencingAdapter.SHARD);
  }
}
