package io.holdfast.simulation.journal;

import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Verdict;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * I4: no grant is ended for its time before its ttl has passed since it was asked for and since any
 * node last said that it lives on, by a clock that is at most 1 % fast.
 */
final class ServerNeverEarly implements JournalInvariant {

  private static final double FASTEST = 1.01;
  private static final long READING_US = 2_000;

  private final JournalWorld world;
  private final Map<Long, Long> lastSignUs = new HashMap<>();
  private final Set<Long> ended = new HashSet<>();

  ServerNeverEarly(JournalWorld world) {
    this.world = world;
  }

  @Override
  public void keptAlive(String key, long token) {
    lastSignUs.merge(token, world.nowUs(), Math::max);
  }

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    if (!(verdict instanceof Verdict.Applied)) {
      return;
    }
    for (Change change : changes) {
      if (change.kind() == Change.Kind.GRANTED) {
        lastSignUs.merge(change.token(), change.madeAtUs(), Math::max);
      } else if (ended.add(change.id()) && change.kind() == Change.Kind.EXPIRED) {
        long sinceUs = world.nowUs() - lastSignUs.getOrDefault(change.token(), 0L);
        if (sinceUs + READING_US < change.ttlMs() * 1_000 / FASTEST) {
          throw new Violation(
              "I4 ServerNeverEarly", change + " ended [" + sinceUs + " us] after its last sign");
        }
      }
    }
  }
}
