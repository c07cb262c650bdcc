package io.holdfast.simulation.journal;

import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.Map;

/** Members that applied the same entries have the same state, over snapshots too. */
final class SameState implements JournalInvariant {

  private final JournalWorld world;
  private final Map<Long, Long> snapshots = new HashMap<>();

  SameState(JournalWorld world) {
    this.world = world;
  }

  void at(long index, long digest, NodeProcess process) {
    long sample = world.chronicle().sampleAt(index);
    // None where the entry was no command: a snapshot may end there.
    require(sample == 0 || sample == digest, process, index);
  }

  void snapshotTaken(long index, long digest) {
    Long before = snapshots.putIfAbsent(index, digest);
    if (before != null && before != digest) {
      throw new Violation("SameState", "two snapshots of [" + index + "] differ");
    }
  }

  void restored(long index, long digest, NodeProcess process) {
    Long taken = snapshots.get(index);
    require(taken == null || taken == digest, process, index);
  }

  @Override
  public void ended() {
    long digest = world.chronicle().digest();
    for (NodeProcess process : world.processes()) {
      require(process.replica().digest() == digest, process, process.replica().appliedIndex());
    }
  }

  private static void require(boolean holds, NodeProcess process, long index) {
    if (!holds) {
      throw new Violation("SameState", process + " has a state of its own at " + index);
    }
  }
}
