package io.holdfast.journal;

import akka.persistence.CapabilityFlag;
import akka.persistence.japi.journal.JavaJournalSpec;
import com.typesafe.config.ConfigFactory;

/** Akka's own tests of a journal, over three members on real files and links. */
public final class JournalSpecOnRaft extends JavaJournalSpec {

  private static final long serialVersionUID = 1L;

  private final transient ThreeMembers members = new ThreeMembers();

  public JournalSpecOnRaft() {
    super(ConfigFactory.parseResources("journal-tck.conf").withFallback(ConfigFactory.load()));
    JournalAccess.get(system()).open(members.store(0), id -> FencingAdapter.SHARD);
  }

  @Override
  public void afterAll() {
    super.afterAll();
    members.close();
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
