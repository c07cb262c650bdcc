package io.holdfast.journal;

import akka.persistence.japi.snapshot.JavaSnapshotStoreSpec;
import com.typesafe.config.ConfigFactory;

/** Akka's own tests of a snapshot store, over three members on real files and links. */
public final class SnapshotSpecOnRaft extends JavaSnapshotStoreSpec {

  private static final long serialVersionUID = 1L;

  private final transient ThreeMembers members = new ThreeMembers();

  public SnapshotSpecOnRaft() {
    super(ConfigFactory.parseResources("journal-tck.conf").withFallback(ConfigFactory.load()));
    JournalAccess.get(system()).open(members.store(0), id -> FencingAdapter.SHARD);
  }

  @Override
  public void afterAll() {
    super.afterAll();
    members.close();
  }
}
