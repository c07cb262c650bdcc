package io.holdfast.coordination.member;

import io.holdfast.coordination.member.CoordinationReplica.Applied;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.function.Consumer;

/** Finds the shards that come to an owner among applied entries. */
public final class ShardMoves {

  private ShardMoves() {}

  /** Tells each shard that has come to an owner, in the order of the log. */
  public static Consumer<List<Applied>> to(Consumer<ShardId> listener) {
    return batch ->
        batch.forEach(
            each -> {
              if (each.verdict() instanceof CoordinationVerdict.Acquired acquired) {
                listener.accept(acquired.shard());
              }
            });
  }
}
