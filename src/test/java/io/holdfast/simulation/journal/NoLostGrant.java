package io.holdfast.simulation.journal;

import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Replay;
import io.holdfast.journal.state.Verdict;
import io.holdfast.simulation.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * I3: what was acknowledged took effect and is in every member's replay; what was refused for good
 * never takes effect.
 */
final class NoLostGrant implements JournalInvariant {

  private final JournalWorld world;
  private final OneWriter oneWriter;
  private final Set<Long> refused = new HashSet<>();

  NoLostGrant(JournalWorld world, OneWriter oneWriter) {
    this.world = world;
    this.oneWriter = oneWriter;
  }

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    if (verdict instanceof Verdict.Applied) {
      for (Change change : changes) {
        require(!refused.contains(change.id()), "was refused and took effect", change);
      }
    }
  }

  @Override
  public void acknowledged(List<Change> changes) {
    for (Change change : changes) {
      require(oneWriter.isApplied(change), "is acknowledged and took no effect", change);
    }
  }

  @Override
  public void refused(List<Change> changes, Verdict verdict) {
    boolean isOpen = verdict instanceof Verdict.Fenced || verdict instanceof Verdict.Forgotten;
    for (Change change : changes) {
      if (!isOpen) {
        require(!oneWriter.isApplied(change), "took effect and is refused", change);
        refused.add(change.id());
      }
    }
  }

  @Override
  public void ended() {
    for (NodeProcess process : world.processes()) {
      for (ShardId shard : JournalWorld.ALL_SHARDS) {
        for (int number = 0; number < JournalWorld.KEYS_A_SHARD; number++) {
          String key = JournalWorld.key(shard, number);
          Replay replay = process.store().version().replay(shard, new PersistenceId(key), 1);
          LockView wanted = oneWriter.kept(key).view();
          LockView has = world.view(replay);
          require(has.equals(wanted), process + " replays " + key + " to " + has, wanted);
        }
      }
    }
  }

  private static void require(boolean holds, String what, Object which) {
    if (!holds) {
      throw new Violation("I3 NoLostGrant", what + ": " + which);
    }
  }
}
