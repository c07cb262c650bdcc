package holdfast.simulation.journal;

import holdfast.coordination.state.CoordinationVerdict;
import holdfast.coordination.state.Epoch;
import holdfast.coordination.state.SessionId;
import holdfast.coordination.state.ShardId;

/** One acquire that was granted. */
public record Ownership(ShardId shard, Epoch epoch, SessionId session, long request) {

  static Ownership of(CoordinationVerdict.Acquired acquired) {
    return new Ownership(
        acquired.shard(), acquired.epoch(), acquired.session(), acquired.request());
  }
}
