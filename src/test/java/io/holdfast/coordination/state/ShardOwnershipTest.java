package io.holdfast.coordination.state;

import static io.holdfast.coordination.state.AppliedLog.ended;
import static io.holdfast.coordination.state.AppliedLog.opening;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the owner, the epoch, the fence and the tokens of a shard. */
class ShardOwnershipTest {

  private static final ShardId SHARD = ShardId.of(2);

  private final AppliedLog log = AppliedLog.founded(3);
  private final SessionId anna = log.open(1, 1);
  private final SessionId bert = log.open(2, 1);

  @Test
  void a_shard_has_one_owner() {
    CoordinationVerdict.Acquired acquired = log.acquire(anna, 2, 1);
    log.refuses(
        CoordinationRefusal.SHARD_TAKEN,
        new CoordinationCommand.AcquireShard(bert, SHARD, 1, AppliedLog.TERMS));
    assertEquals(Optional.of(anna), log.state.owner(SHARD));
    assertEquals(acquired.epoch(), log.state.fence(SHARD));
    assertEquals(List.of(SHARD), log.state.shardsOf(anna));
  }

  @Test
  void every_acquire_is_a_new_epoch_with_new_tokens() {
    CoordinationVerdict.Acquired first = log.acquire(anna, 2, 1);
    CoordinationVerdict.Acquired second = log.acquire(anna, 2, 2);
    assertTrue(second.epoch().compareTo(first.epoch()) > 0);
    assertTrue(second.block().first() > first.block().last());
    assertEquals(second.epoch(), log.state.fence(SHARD));
    log.refuses(
        CoordinationRefusal.NOT_CURRENT_EPOCH,
        new CoordinationCommand.TakeTokenBlock(anna, SHARD, first.epoch()));
  }

  @Test
  void an_acquire_that_was_overtaken_by_a_later_one_is_refused() {
    CoordinationVerdict.Acquired second = log.acquire(anna, 2, 2);
    CoordinationCommand late =
        new CoordinationCommand.AcquireShard(anna, SHARD, 1, AppliedLog.TERMS);
    log.refuses(CoordinationRefusal.OLD_REQUEST, late);
    log.apply(new CoordinationCommand.ReleaseShard(anna, SHARD, second.epoch()));
    log.refuses(CoordinationRefusal.OLD_REQUEST, late);
  }

  @Test
  void a_node_that_spreads_keys_in_another_way_owns_no_shard() {
    for (ShardTerms other :
        List.of(ShardTerms.of(AppliedLog.SHARDS + 1), new ShardTerms(AppliedLog.SHARDS, 2))) {
      log.refuses(
          CoordinationRefusal.OTHER_TERMS,
          new CoordinationCommand.AcquireShard(anna, SHARD, 1, other));
    }
    assertEquals(Optional.empty(), log.state.owner(SHARD));
  }

  @Test
  void only_shard_hosts_own_shards() {
    CoordinationCommand.OpenSession open = opening(9, 1);
    SessionId service =
        AppliedLog.opened(
                log.apply(
                    new CoordinationCommand.OpenSession(
                        open.member(),
                        1,
                        open.akkaAddress(),
                        1,
                        Set.of(),
                        2_000,
                        AppliedLog.TERMS)))
            .session()
            .id();
    log.refuses(
        CoordinationRefusal.NOT_A_SHARD_HOST,
        new CoordinationCommand.AcquireShard(service, SHARD, 1, AppliedLog.TERMS));
  }

  @Test
  void an_unknown_shard_or_session_is_refused() {
    for (int shard : List.of(AppliedLog.SHARDS, ShardId.MAX_SHARDS - 1)) {
      ShardId none = ShardId.of(shard);
      log.refuses(
          CoordinationRefusal.OUT_OF_BOUND,
          new CoordinationCommand.AcquireShard(anna, none, 1, AppliedLog.TERMS));
      log.refuses(
          CoordinationRefusal.NOT_CURRENT_EPOCH,
          new CoordinationCommand.ReleaseShard(anna, none, Epoch.NONE));
      assertEquals(Epoch.NONE, log.state.fence(none));
      assertEquals(Optional.empty(), log.state.owner(none));
      assertEquals(Optional.empty(), log.state.uncertain(none));
    }
    log.refuses(
        CoordinationRefusal.NO_SUCH_SESSION,
        new CoordinationCommand.AcquireShard(SessionId.NONE, SHARD, 1, AppliedLog.TERMS));
    log.refuses(
        CoordinationRefusal.NOT_CURRENT_EPOCH,
        new CoordinationCommand.ReleaseShard(SessionId.NONE, SHARD, Epoch.NONE));
    log.refuses(
        CoordinationRefusal.NOT_CURRENT_EPOCH,
        new CoordinationCommand.TakeTokenBlock(SessionId.NONE, SHARD, Epoch.NONE));
  }

  @Test
  void a_release_that_names_an_old_epoch_does_nothing() {
    CoordinationVerdict.Acquired old = log.acquire(anna, 2, 1);
    CoordinationVerdict.Acquired now = log.acquire(anna, 2, 2);
    CoordinationCommand release = new CoordinationCommand.ReleaseShard(anna, SHARD, old.epoch());
    log.refuses(CoordinationRefusal.NOT_CURRENT_EPOCH, release);
    assertEquals(Optional.of(anna), log.state.owner(SHARD));
    assertEquals(now.epoch(), log.state.fence(SHARD));
  }

  @Test
  void the_fence_rises_at_acquire_release_close_and_expiry_alike() {
    Epoch fence = log.state.fence(SHARD);
    assertEquals(Epoch.NONE, fence);
    CoordinationVerdict.Acquired acquired = log.acquire(anna, 2, 1);
    fence = rises(fence);
    log.apply(new CoordinationCommand.ReleaseShard(anna, SHARD, acquired.epoch()));
    fence = rises(fence);
    log.acquire(anna, 2, 2);
    fence = rises(fence);
    log.apply(new CoordinationCommand.CloseSession(anna));
    fence = rises(fence);
    log.acquire(bert, 2, 1);
    fence = rises(fence);
    log.apply(new CoordinationCommand.ExpireSession(bert, 0));
    fence = rises(fence);
    SessionId carl = log.open(3, 1);
    log.acquire(carl, 2, 1);
    fence = rises(fence);
    log.apply(new CoordinationCommand.ExpireEarly(carl, 0));
    rises(fence);
  }

  @Test
  void the_fence_of_a_free_shard_is_nobody_s_epoch() {
    CoordinationVerdict.Acquired acquired = log.acquire(anna, 2, 1);
    log.apply(new CoordinationCommand.ReleaseShard(anna, SHARD, acquired.epoch()));
    Epoch free = log.state.fence(SHARD);
    assertTrue(log.acquire(bert, 2, 1).epoch().compareTo(free) > 0);
  }

  @Test
  void nothing_is_current_where_nobody_ever_owned() {
    assertTrue(!log.state.isCurrent(SHARD, Epoch.NONE));
    assertTrue(!log.state.isCurrent(ShardId.of(AppliedLog.SHARDS), Epoch.NONE));
    Epoch epoch = log.acquire(anna, 2, 1).epoch();
    assertTrue(log.state.isCurrent(SHARD, epoch));
    log.apply(new CoordinationCommand.ReleaseShard(anna, SHARD, epoch));
    assertTrue(!log.state.isCurrent(SHARD, epoch));
  }

  @Test
  void blocks_rise_over_shards_and_owners_and_never_overlap() {
    long last = 0;
    CoordinationVerdict.Acquired first = log.acquire(anna, 2, 1);
    CoordinationVerdict.Acquired other = log.acquire(bert, 0, 1);
    for (TokenBlock block :
        List.of(first.block(), other.block(), log.takeBlock(first), log.takeBlock(other))) {
      assertTrue(block.first() > last);
      last = block.last();
    }
    log.apply(new CoordinationCommand.CloseSession(anna));
    assertTrue(log.acquire(bert, 2, 1).block().first() > last);
  }

  @Test
  void an_early_expiry_leaves_its_shards_uncertain_until_told() {
    log.acquire(anna, 2, 1);
    assertEquals(
        List.of(SHARD),
        ended(log.apply(new CoordinationCommand.ExpireEarly(anna, 0))).get(0).shards());
    UncertainMark mark = log.state.uncertain(SHARD).orElseThrow();
    assertEquals(AppliedLog.TTL_MS, mark.ttlMs());
    assertEquals(Optional.empty(), log.state.uncertain(ShardId.of(1)));

    log.acquire(bert, 2, 1);
    assertEquals(Optional.of(mark), log.state.uncertain(SHARD), "it survives the next move");

    log.apply(new CoordinationCommand.MarkCertain(SHARD, mark.id()));
    assertEquals(Optional.empty(), log.state.uncertain(SHARD));
  }

  @Test
  void a_mark_is_taken_off_by_its_own_number_only() {
    log.acquire(anna, 2, 1);
    log.apply(new CoordinationCommand.ExpireEarly(anna, 0));
    UncertainMark first = log.state.uncertain(SHARD).orElseThrow();
    log.acquire(bert, 2, 1);
    log.apply(new CoordinationCommand.ExpireEarly(bert, 0));
    UncertainMark second = log.state.uncertain(SHARD).orElseThrow();
    assertNotEquals(first.id(), second.id());
    log.refuses(
        CoordinationRefusal.NO_SUCH_MARK, new CoordinationCommand.MarkCertain(SHARD, first.id()));
    log.refuses(
        CoordinationRefusal.NO_SUCH_MARK, new CoordinationCommand.MarkCertain(ShardId.of(1), 0));
    assertEquals(Optional.of(second), log.state.uncertain(SHARD));
  }

  @Test
  void an_expiry_in_time_leaves_its_shards_certain() {
    log.acquire(anna, 2, 1);
    log.apply(new CoordinationCommand.ExpireSession(anna, 0));
    assertEquals(Optional.empty(), log.state.uncertain(SHARD));
  }

  private Epoch rises(Epoch before) {
    Epoch now = log.state.fence(SHARD);
    assertTrue(now.compareTo(before) > 0, () -> now + " after " + before);
    return now;
  }
}
