package io.holdfast.journal;

import akka.persistence.CapabilityFlag;
import akka.persistence.japi.journal.JavaJournalSpec;
import com.typesafe.config.ConfigFactory;
import io.holdfast.journal.state.Bounds;

/** Akka's own tests of a journal, over the store in memory; the test owns the shard. */
public final class JournalSpecOnMemory extends JavaJournalSpec {

  private static final long serialVersionUID = 1L;
  private static final Bounds BOUNDS = new Bounds(1_000, 1024, 16, 16, 16, 8);

  public JournalSpecOnMemory() {
    super(ConfigFactory.parseResources("journal-tck.conf").withFallback(ConfigFactory.load()));
    JournalAccess.get(system()).open(store(), id -> FencingAdapter.SHARD);
  }

  static JournalStore store() {
    return new InMemoryJournalStore(BOUNDS, shard -> FencingAdapter.EPOCH);
  }

  @Override
  public CapabilityFlag supportsRejectingNonSerializableObjects() {
    return CapabilityFlag.off(); // a number that is left out would be a gap, and gaps are refused
  }

  @Override
  public boolean supportsAtomicPersistAllOfSeveralEvents() {
    return false; // one decision is one event
  }
}
