package io.holdfast.journal;

import akka.persistence.CapabilityFlag;
import akka.persistence.japi.journal.JavaJournalSpec;
import com.typesafe.config.ConfigFactory;
import org.scalatest.Args;
import org.scalatest.Status;
import org.scalatest.SucceededStatus$;

/**
 * Akka's own tests of a journal, without those that delete events: the plugin refuses that, as
 * {@link UnsupportedRequestsTest} shows.
 */
abstract class JournalSpecWithoutDeletion extends JavaJournalSpec {

  private static final long serialVersionUID = 1L;

  JournalSpecWithoutDeletion() {
    super(ConfigFactory.parseResources("journal-tck.conf").withFallback(ConfigFactory.load()));
  }

  @Override
  public Status runTest(String name, Args args) {
    boolean deletes =
        name.contains("delet")
            || name.endsWith("not reset highestSequenceNr after journal cleanup");
    return deletes ? SucceededStatus$.MODULE$ : super.runTest(name, args);
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
