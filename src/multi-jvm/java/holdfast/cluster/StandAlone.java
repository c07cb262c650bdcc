package holdfast.cluster;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import holdfast.config.LockSettings;
import holdfast.coordination.OwnedShard;
import holdfast.coordination.ShardOwnership;
import holdfast.coordination.TokenSource;
import holdfast.entity.LockShards;
import holdfast.journal.InMemoryJournalStore;
import holdfast.journal.JournalAccess;
import holdfast.journal.state.Bounds;
import holdfast.lock.FencingToken;
import java.time.Duration;
import java.util.Optional;

/**
 * The shards of a node that stands alone: it owns all of them, for as long as it runs. Its journal
 * is in memory.
 */
final class StandAlone implements ShardOwnership {

  private static final long EPOCH = 1;

  private record Owned(int shard, TokenSource tokens) implements OwnedShard {

    @Override
    public long epoch() {
      return EPOCH;
    }

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
      return Optional.of(tokens.next());
    }
  }

  private final TokenSource tokens;

  private StandAlone(TokenSource tokens) {
    this.tokens = tokens;
  }

  /** Opens the journal of this system, and owns all shards. */
  static ShardOwnership open(ActorSystem<?> system, LockSettings settings, TokenSource tokens) {
    JournalAccess.get(Adapter.toClassic(system))
        .open(
            new InMemoryJournalStore(Bounds.DEFAULT, shard -> EPOCH, (id, incarnation) -> false),
            LockShards.shardOf(settings));
    return new StandAlone(tokens);
  }

  @Override
  public Optional<OwnedShard> of(int shard) {
    return Optional.of(new Owned(shard, tokens));
  }
}
