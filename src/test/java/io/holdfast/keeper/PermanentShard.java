package io.holdfast.keeper;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.lock.FencingToken;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A shard that this node always owns.
 *
 * @param last the last token that was given out
 */
public record PermanentShard(ShardId shard, Epoch epoch, AtomicLong last) implements OwnedShard {

  @Override
  public boolean isSure() {
    return true;
  }

  @Override
  public Duration doubt() {
    return Duration.ZERO;
  }

  @Override
  public Optional<FencingToken> nextToken() {
    return Optional.of(new FencingToken(last.incrementAndGet()));
  }
}
