package io.holdfast.simulation.raft;

import io.holdfast.raft.core.MemberId;
import io.holdfast.simulation.Violation;

/** After a crash the real log holds what was synced, and of what was written since a beginning. */
final class RecoveryKeepsLog {

  private RecoveryKeepsLog() {}

  /** Says how many of the writes that were not synced a recovered log has. */
  static int survivors(MemberId id, SimulatedDisk model, LogImage found) {
    boolean compactedTooFar = found.firstIndex() > model.memory().firstIndex();
    int survivors = compactedTooFar ? -1 : model.survivors(found::agreesWith);
    if (survivors < 0) {
      throw new Violation(
          "RecoveryKeepsLog",
          "%s finds %s, had synced %s".formatted(id, found.brief(), model.durable().brief()));
    }
    return survivors;
  }
}
