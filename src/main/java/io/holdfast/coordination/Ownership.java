package io.holdfast.coordination;

import io.holdfast.coordination.node.TokenCursor;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.TokenBlock;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.lock.FencingToken;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** One epoch of one shard of this node, with what is left of its tokens. */
final class Ownership implements OwnedShard {

  /** More tokens are asked for when half of a block is left. */
  private static final long PREFETCH_AT = TokenBlock.SIZE / 2;

  private final NodeCoordination node;
  private final ShardId shard;
  private final Epoch epoch;
  private final TokenCursor cursor; // used under its own monitor
  private volatile boolean ended;

  Ownership(NodeCoordination node, CoordinationVerdict.Acquired acquired) {
    this.node = node;
    shard = acquired.shard();
    epoch = acquired.epoch();
    cursor = new TokenCursor(epoch, acquired.block(), PREFETCH_AT);
  }

  @Override
  public ShardId shard() {
    return shard;
  }

  @Override
  public Epoch epoch() {
    return epoch;
  }

  @Override
  public boolean isSure() {
    return !ended && node.session().mayAct();
  }

  @Override
  public Duration doubt() {
    return Duration.ofMillis(
        node.read(state -> state.uncertain(shard).map(mark -> mark.ttlMs()).orElse(0)));
  }

  @Override
  public Optional<FencingToken> nextToken() {
    OptionalLong token;
    boolean asks;
    synchronized (cursor) {
      token = ended ? OptionalLong.empty() : cursor.next(epoch);
      asks = !ended && cursor.asksForMore();
    }
    if (asks) {
      node.run(this::takeBlock);
    }
    return token.isPresent() ? Optional.of(new FencingToken(token.getAsLong())) : Optional.empty();
  }

  private void takeBlock() {
    SessionId own = node.session().live();
    if (own == null) {
      blockTaken(Optional.empty());
    } else {
      node.propose(new CoordinationCommand.TakeTokenBlock(own, shard, epoch), this::blockTaken);
    }
  }

  /** The log has given this epoch more tokens, or has not. */
  private void blockTaken(Optional<CoordinationVerdict> verdict) {
    synchronized (cursor) {
      if (verdict.orElse(null) instanceof CoordinationVerdict.BlockTaken taken) {
        cursor.add(taken.epoch(), taken.block());
      } else {
        cursor.failed();
      }
    }
  }

  void end() {
    ended = true;
  }
}
