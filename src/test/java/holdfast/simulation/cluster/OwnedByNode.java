package holdfast.simulation.cluster;

import holdfast.coordination.OwnedShard;
import holdfast.coordination.state.UncertainMark;
import holdfast.lock.FencingToken;
import holdfast.simulation.journal.Holding;
import holdfast.simulation.journal.NodeProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** One ownership of one shard, as the actors that were made under it have it. */
record OwnedByNode(NodeProcess process, Holding held) implements OwnedShard {

  @Override
  public int shard() {
    return held.ownership().shard().value();
  }

  @Override
  public long epoch() {
    return held.ownership().epoch().value();
  }

  @Override
  public boolean isSure() {
    return isStill() && process.isValid();
  }

  private boolean isStill() {
    return process.holdingOf(shard()) == held;
  }

  @Override
  public Duration doubt() {
    return Duration.ofMillis(
        process.read(
            state ->
                state.uncertain(held.ownership().shard()).map(UncertainMark::ttlMs).orElse(0)));
  }

  @Override
  public Optional<FencingToken> nextToken() {
    OptionalLong token =
        isStill() ? held.cursor().next(held.ownership().epoch()) : OptionalLong.empty();
    return token.isPresent() ? Optional.of(new FencingToken(token.getAsLong())) : Optional.empty();
  }
}
