package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.id.ShardId;
import io.holdfast.simulation.Violation;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * At no instant of true time do two nodes with a valid session believe that they own one shard, but
 * for one whose session was ended in doubt.
 */
final class OneValidOwner implements JournalInvariant.EachEvent {

  private final JournalWorld world;
  private final Set<SessionId> doubtful = new HashSet<>();

  OneValidOwner(JournalWorld world) {
    this.world = world;
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    verdict.ended().stream()
        .filter(ended -> ended.cause().isInDoubt())
        .forEach(ended -> doubtful.add(ended.session().id()));
  }

  @Override
  public void happened() {
    for (ShardId shard : JournalWorld.ALL_SHARDS) {
      int owners = 0;
      for (NodeProcess process : world.processes()) {
        if (process.owns(shard)) {
          owners++;
          requireSession(process);
        }
      }
      if (owners > 1) {
        requireOneValid(shard);
      }
    }
  }

  private static void requireSession(NodeProcess process) {
    if (process.session().equals(SessionId.NONE)) {
      throw new Violation("OneValidOwner", process + " owns a shard without a session");
    }
  }

  private void requireOneValid(ShardId shard) {
    @Nullable NodeProcess owner = null;
    for (NodeProcess process : world.processes()) {
      if (process.owns(shard) && process.isValid() && !isDoubtful(process)) {
        if (owner != null) {
          throw new Violation("OneValidOwner", shard + " is owned by " + owner + " and " + process);
        }
        owner = process;
      }
    }
  }

  private boolean isDoubtful(NodeProcess process) {
    return doubtful.contains(process.session());
  }
}
