package io.holdfast.simulation.cluster;

import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.journal.JournalSimulation;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of the whole: nodes with Raft, coordination, the journal and the real actors of locks and
 * leases live through a few seconds of trouble, with clients that ask, wait, pause and die.
 */
public final class ClusterSimulation {

  private ClusterSimulation() {}

  /** Runs one seed; the answer is null if everything held, and else tells what did not. */
  public static @Nullable String failure(long seed) {
    return JournalSimulation.failure(seed, new Scheduler(), new ClusterLocks());
  }

  /** Runs one seed again and tells every event. */
  public static @Nullable String replay(long seed, Consumer<String> trace) {
    return JournalSimulation.failure(seed, new Scheduler(trace), new ClusterLocks());
  }

  /** The result of this seed: the number of times that each thing happened. */
  public static Map<String, Long> tally(long seed) {
    ClusterLocks locks = new ClusterLocks();
    Map<String, Long> counts = JournalSimulation.tally(seed, locks);
    counts.putAll(locks.counts());
    return counts;
  }
}
