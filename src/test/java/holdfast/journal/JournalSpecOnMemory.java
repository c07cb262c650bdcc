package holdfast.journal;

import akka.persistence.CapabilityFlag;
import akka.persistence.japi.journal.JavaJournalSpec;
import com.typesafe.config.ConfigFactory;
import holdfast.journal.state.Bounds;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Akka's own tests of a journal, over a log in memory; the test owns the shard. */
public final class JournalSpecOnMemory extends JavaJournalSpec {

  private static final long serialVersionUID = 1L;

  private final transient LogInMemory log;

  public JournalSpecOnMemory() {
    super(ConfigFactory.parseResources("journal-tck.conf").withFallback(ConfigFactory.load()));
    JournalMachine machine =
        new JournalMachine(
            new Bounds(1_000, 1024, 16, 16),
            shard -> FencingAdapter.EPOCH,
            (id, incarnation) -> true,
            1);
    log = new LogInMemory(machine);
    JournalAccess.get(system())
        .open(
            new RaftJournalStore(
                log, machine, 1024, CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)),
            id -> FencingAdapter.SHARD);
  }

  @Override
  public void afterAll() {
    super.afterAll();
    log.close();
  }

  @Override
  public CapabilityFlag supportsRejectingNonSerializableObjects() {
    return CapabilityFlag.off(); // a number that is left out would be a gap, and gaps are refused
  }
}
