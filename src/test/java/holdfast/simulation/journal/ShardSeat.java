package holdfast.simulation.journal;

import holdfast.coordination.state.CoordinationCommand;
import holdfast.coordination.state.CoordinationRefusal;
import holdfast.coordination.state.CoordinationState;
import holdfast.coordination.state.CoordinationVerdict;
import holdfast.coordination.state.Epoch;
import holdfast.coordination.state.SessionId;
import holdfast.coordination.state.ShardId;
import holdfast.coordination.state.TokenBlock;
import holdfast.coordination.state.TokenCursor;
import org.jspecify.annotations.Nullable;

/**
 * How a node comes to one shard and leaves it: acquires and releases strictly in order, each
 * acquire with a new number, each release with its epoch.
 */
final class ShardSeat {

  private enum Phase {
    FREE,
    ACQUIRING,
    OWNED,
    RELEASING
  }

  private final NodeProcess node;
  private final ShardId shard;
  private Phase phase = Phase.FREE;
  private long request;
  private long waitUntilMs;
  private @Nullable Holding holding;

  /** The epoch that is being given back: a copy of an earlier release may still be decided. */
  private @Nullable Epoch releasing;

  ShardSeat(NodeProcess node, ShardId shard) {
    this.node = node;
    this.shard = shard;
  }

  ShardId shard() {
    return shard;
  }

  /** What the node believes to own. */
  @Nullable Holding holding() {
    return holding;
  }

  void acquire(SessionId session, long nowMs) {
    if (phase == Phase.FREE && nowMs >= waitUntilMs) {
      phase = Phase.ACQUIRING;
      request++;
      node.propose(
          new CoordinationCommand.AcquireShard(session, shard, request, JournalWorld.TERMS));
    }
  }

  /** Asks for the shard that it owns once more: a new epoch, which fences the one before. */
  void acquireAgain(SessionId session) {
    if (phase == Phase.OWNED) {
      phase = Phase.ACQUIRING;
      request++;
      node.propose(
          new CoordinationCommand.AcquireShard(session, shard, request, JournalWorld.TERMS));
    }
  }

  /** Stops acting for the shard, and then gives it back. */
  void release(SessionId session) {
    Holding held = holding;
    if (phase == Phase.OWNED && held != null) {
      Epoch epoch = held.ownership().epoch();
      phase = Phase.RELEASING;
      holding = null;
      releasing = epoch;
      node.propose(new CoordinationCommand.ReleaseShard(session, shard, epoch));
    }
  }

  void decided(CoordinationCommand command, CoordinationVerdict verdict, long nowMs) {
    if (command instanceof CoordinationCommand.AcquireShard acquire) {
      if (acquire.request() == request && phase == Phase.ACQUIRING) {
        acquired(verdict, nowMs);
      }
    } else if (command instanceof CoordinationCommand.ReleaseShard release) {
      if (isUnderWay(release)) {
        phase = Phase.FREE;
      }
    } else if (verdict instanceof CoordinationVerdict.BlockTaken taken && holding != null) {
      holding.cursor().add(taken.epoch(), taken.block());
    }
  }

  private void acquired(CoordinationVerdict verdict, long nowMs) {
    if (verdict instanceof CoordinationVerdict.Acquired acquired) {
      phase = Phase.OWNED;
      TokenCursor cursor = new TokenCursor(acquired.epoch(), acquired.block(), TokenBlock.SIZE);
      Holding held = new Holding(Ownership.of(acquired), cursor);
      holding = held;
      node.recover(this, held);
    } else if (verdict instanceof CoordinationVerdict.Refused refused) {
      phase = holding == null ? Phase.FREE : Phase.OWNED;
      boolean isTaken = refused.reason() == CoordinationRefusal.SHARD_TAKEN;
      waitUntilMs = nowMs + (isTaken ? 100 : 20);
    }
  }

  void cameBack(CoordinationCommand command) {
    if (command instanceof CoordinationCommand.AcquireShard acquire) {
      if (acquire.request() == request && phase == Phase.ACQUIRING) {
        request++;
        node.propose(
            new CoordinationCommand.AcquireShard(
                acquire.session(), shard, request, JournalWorld.TERMS));
      }
    } else if (command instanceof CoordinationCommand.ReleaseShard release) {
      if (isUnderWay(release)) {
        node.propose(command);
      }
    } else if (command instanceof CoordinationCommand.TakeTokenBlock && holding != null) {
      holding.cursor().failed();
    }
  }

  private boolean isUnderWay(CoordinationCommand.ReleaseShard release) {
    return phase == Phase.RELEASING && release.epoch().equals(releasing);
  }

  /** The state jumped: what the node believes to own may be another's by now. */
  void restored(CoordinationState state) {
    Holding held = holding;
    if (held != null && !state.isCurrent(shard, held.ownership().epoch())) {
      holding = null;
      phase = phase == Phase.OWNED ? Phase.FREE : phase;
    }
  }

  /** Whether a command is about this shard. */
  boolean isAbout(CoordinationCommand command) {
    return shard.equals(shardOf(command));
  }

  private static @Nullable ShardId shardOf(CoordinationCommand command) {
    if (command instanceof CoordinationCommand.AcquireShard acquire) {
      return acquire.shard();
    } else if (command instanceof CoordinationCommand.ReleaseShard release) {
      return release.shard();
    } else if (command instanceof CoordinationCommand.TakeTokenBlock take) {
      return take.shard();
    }
    return null;
  }
}
