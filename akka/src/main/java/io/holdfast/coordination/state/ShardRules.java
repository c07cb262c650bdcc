package io.holdfast.coordination.state;

import static io.holdfast.coordination.state.CoordinationVerdict.refused;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;

/** The rules by which shards are owned, and their owners get tokens. */
final class ShardRules {

  private final SessionTable sessions;
  private final ShardTable shards;
  private final Numbers numbers;

  ShardRules(SessionTable sessions, ShardTable shards, Numbers numbers) {
    this.sessions = sessions;
    this.shards = shards;
    this.numbers = numbers;
  }

  CoordinationVerdict acquire(CoordinationCommand.AcquireShard acquire) {
    ShardId shard = acquire.shard();
    Session session = sessions.find(acquire.session());
    if (session == null) {
      return refused(CoordinationRefusal.NO_SUCH_SESSION, acquire.session());
    } else if (!session.roles().contains(NodeRole.SHARD_HOST)) {
      return refused(CoordinationRefusal.NOT_A_SHARD_HOST, session.member());
    } else if (!acquire.terms().equals(shards.terms())) {
      return refused(CoordinationRefusal.OTHER_TERMS, acquire.terms());
    } else if (!shards.has(shard)) {
      return refused(CoordinationRefusal.OUT_OF_BOUND, shard);
    } else if (!isFreeFor(shard, session.id())) {
      return refused(CoordinationRefusal.SHARD_TAKEN, shards.owner(shard));
    } else if (shards.hasSeen(shard, session.id(), acquire.request())) {
      return refused(CoordinationRefusal.OLD_REQUEST, acquire.request());
    } else if (numbers.areUsedUp()) {
      return refused(CoordinationRefusal.NUMBERS_USED_UP, numbers.generation());
    }
    Epoch epoch = new Epoch(numbers.next());
    shards.own(shard, session.id(), acquire.request(), epoch);
    return new CoordinationVerdict.Acquired(
        session.id(), shard, acquire.request(), epoch, numbers.nextBlock());
  }

  CoordinationVerdict release(CoordinationCommand.ReleaseShard release) {
    if (!shards.isOwner(release.shard(), release.session(), release.epoch())) {
      return refused(CoordinationRefusal.NOT_CURRENT_EPOCH, release.epoch());
    }
    Epoch fence = new Epoch(numbers.next());
    shards.vacate(release.shard(), fence);
    return new CoordinationVerdict.Released(release.shard(), fence);
  }

  CoordinationVerdict takeBlock(CoordinationCommand.TakeTokenBlock take) {
    if (!shards.isOwner(take.shard(), take.session(), take.epoch())) {
      return refused(CoordinationRefusal.NOT_CURRENT_EPOCH, take.epoch());
    } else if (numbers.areUsedUp()) {
      return refused(CoordinationRefusal.NUMBERS_USED_UP, numbers.generation());
    }
    return new CoordinationVerdict.BlockTaken(take.shard(), take.epoch(), numbers.nextBlock());
  }

  CoordinationVerdict certain(CoordinationCommand.MarkCertain certain) {
    ShardId shard = certain.shard();
    if (!shards.has(shard) || !isMarked(shard, certain.mark())) {
      return refused(CoordinationRefusal.NO_SUCH_MARK, certain.mark());
    }
    shards.mark(shard, UncertainMark.NONE);
    return new CoordinationVerdict.Noted();
  }

  private boolean isFreeFor(ShardId shard, SessionId session) {
    SessionId owner = shards.owner(shard);
    return owner.equals(SessionId.NONE) || owner.equals(session);
  }

  private boolean isMarked(ShardId shard, long mark) {
    return !shards.mark(shard).equals(UncertainMark.NONE) && shards.mark(shard).id() == mark;
  }
}
