package io.holdfast.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.entity.EntityWorld;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests when grants, waiters and leases end, and which keepalives count. */
class DeadlineKeeperTest {

  private static final LockKey KEY = new LockKey("key");

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000); // it wraps
  private boolean sure = true;
  private final DeadlineKeeper keeper = new DeadlineKeeper(() -> sure, now::get);

  @Test
  void a_grant_is_due_at_its_ttl_and_reported_until_it_ends() {
    holds(holder(1, 1_000));
    pass(999);
    assertEquals(List.of(), ends());
    pass(1);
    ShardDeadline grant = new ShardDeadline.Grant(KEY, new FencingToken(1));
    assertEquals(List.of(grant), ends());
    assertEquals(List.of(), ends());
    pass(DeadlineKeeper.REPEAT_AFTER.toMillis());
    assertEquals(List.of(grant), ends());
    keeper.ended(KEY, new FencingToken(1));
    pass(DeadlineKeeper.REPEAT_AFTER.toMillis());
    assertEquals(List.of(), ends());
  }

  @Test
  void a_lease_that_ends_during_a_removal_is_due_again() {
    ShardDeadline orphans = new ShardDeadline.Orphans(KEY);
    keeper.orphans(KEY);
    assertEquals(List.of(orphans), ends());
    long heard = keeper.ends();
    keeper.orphans(KEY); // while the removal for the first is written
    keeper.orphansRemoved(KEY, heard);
    assertEquals(List.of(orphans), ends());
    keeper.orphansRemoved(KEY, keeper.ends());
    pass(DeadlineKeeper.REPEAT_AFTER.toMillis());
    assertEquals(List.of(), ends());
  }

  @Test
  void once_a_grant_is_due_no_keepalive_is_answered() {
    holds(holder(1, 1_000));
    pass(1_000);
    ends();
    assertEquals(Optional.empty(), renew(1));
  }

  @Test
  void a_keepalive_between_the_ttl_and_the_look_still_counts() {
    holds(holder(1, 1_000));
    pass(1_500);
    assertTrue(renew(1).orElseThrow().alive());
    assertEquals(List.of(), ends());
  }

  @Test
  void an_unknown_target_is_dead_only_after_the_journal_is_read() {
    assertEquals(Optional.empty(), renew(1));
    keeper.complete();
    assertFalse(renew(1).orElseThrow().alive());
  }

  @Test
  void a_keeper_that_may_not_own_its_shard_answers_nothing() {
    holds(holder(1, 1_000));
    sure = false;
    assertEquals(Optional.empty(), renew(1));
  }

  @Test
  void a_lock_from_the_journal_has_its_full_time_and_the_doubt() {
    keeper.found(
        KEY, new LockState(List.of(holder(1, 1_000)), List.of()), Duration.ofSeconds(2), false);
    assertTrue(renew(1).orElseThrow().alive(), "and a keepalive does not shorten it");
    pass(2_999);
    assertEquals(List.of(), ends());
    pass(1);
    assertEquals(1, ends().size());
  }

  @Test
  void a_recorded_age_is_subtracted_from_the_ttl() {
    keeper.found(KEY, aged(400), Duration.ofSeconds(2), false);
    pass(599);
    assertEquals(List.of(), ends());
    pass(1);
    assertEquals(1, ends().size(), "without doubt added");
  }

  private static LockState aged(long millis) {
    return new LockState(List.of(holder(1, 1_000)), List.of())
        .apply(new LockEvent.Aged(new FencingToken(1), Duration.ofMillis(millis)));
  }

  @Test
  void a_newer_grant_is_not_replaced_by_the_journal() {
    keeper.recovered(KEY, LockState.FREE, Duration.ZERO, false);
    holds(holder(2, 1_000));
    keeper.found(KEY, new LockState(List.of(holder(1, 100)), List.of()), Duration.ZERO, false);
    assertTrue(renew(2).orElseThrow().alive());
    pass(100);
    assertEquals(List.of(), ends());
  }

  @Test
  void a_grant_on_a_shared_lease_is_only_confirmed() {
    holds(onSharedLease());
    assertEquals(new Renewal.Answer(true, 0, 1, 0, new Revision(0)), renew(1).orElseThrow());
    pass(10_000);
    assertEquals(List.of(), ends(), "it ends with the lease");
    keeper.orphans(KEY);
    assertEquals(List.of(new ShardDeadline.Orphans(KEY)), ends());
    assertEquals(Optional.empty(), renew(1));
    keeper.orphansRemoved(KEY, keeper.ends());
  }

  @Test
  void a_grant_on_an_ended_lease_is_not_renewed() {
    holds(onSharedLease());
    keeper.orphans(KEY);
    assertEquals(Optional.empty(), renew(1));
  }

  @Test
  void the_shortest_timeout_of_all_copies_counts() {
    Waiter waiter = waiter(60_000, 10_000);
    LockState held = new LockState(List.of(holder(1, 60_000)), List.of());
    keeper.changed(
        KEY, LockState.FREE, new LockState(held.holders(), List.of(waiter)), Duration.ZERO);
    pass(1_000);
    keeper.waitsAtMost(KEY, waiter.request().id(), new WaitTimeout(2_000));
    keeper.waitsAtMost(KEY, waiter.request().id(), new WaitTimeout(9_500));
    pass(1_999);
    assertEquals(List.of(), ends());
    pass(1);
    assertEquals(List.of(new ShardDeadline.WaiterTimeout(KEY, waiter.request().id())), ends());
    keeper.left(KEY, waiter.request().id());
    pass(10_000);
    assertEquals(List.of(), ends());
    keeper.waitsAtMost(KEY, waiter.request().id(), new WaitTimeout(1));
    pass(1);
    assertEquals(List.of(), ends(), "a holder has no timeout");
  }

  @Test
  void a_resent_keepalive_counts_from_when_it_came_first() {
    FencingToken token = new FencingToken(1);
    holds(holder(1, 1_000));
    LeaseLife lease = LeaseLife.of(new LeaseId(5), new Revision(6));
    keeper.leaseBegan(lease, Duration.ofSeconds(1));
    pass(900);
    Duration age = Duration.ofMillis(600);
    assertTrue(keeper.renew(new Renewal.OfGrant(KEY, token), age).orElseThrow().alive());
    assertTrue(
        keeper
            .renew(new Renewal.OfLease(new LeaseId(5), new Revision(6)), age)
            .orElseThrow()
            .alive());
    pass(399);
    assertEquals(List.of(), ends());
    pass(1);
    assertEquals(
        Set.of(
            new ShardDeadline.Grant(KEY, token),
            new ShardDeadline.Lease(LeaseLife.of(new LeaseId(5), new Revision(6)))),
        new HashSet<>(ends()));
  }

  @Test
  void a_resent_keepalive_of_a_waiter_counts_from_when_it_came() {
    Waiter waiter = waiter(1_000, 10_000);
    LockState before = new LockState(List.of(holder(1, 60_000)), List.of(waiter));
    keeper.changed(KEY, LockState.FREE, before, Duration.ZERO);
    pass(900);
    Renewal.OfRequest renewal = new Renewal.OfRequest(KEY, waiter.request().id());
    assertTrue(keeper.renew(renewal, Duration.ofMillis(600)).orElseThrow().alive());
    pass(399);
    assertEquals(List.of(), ends());
    pass(1);
    assertEquals(1, ends().size());
  }

  @Test
  void a_look_returns_the_remaining_time_without_a_renewal() {
    holds(holder(1, 1_000));
    pass(400);
    Renewal.Look look = new Renewal.Look(new Renewal.OfGrant(KEY, new FencingToken(1)));
    assertEquals(
        new Renewal.Answer(true, 600, 0, 0, new Revision(0)), keeper.renew(look).orElseThrow());
    sure = false;
    assertEquals(
        new Renewal.Answer(true, 600, 0, 0, new Revision(0)), keeper.renew(look).orElseThrow());
    sure = true;
    pass(600);
    assertEquals(1, ends().size());
    assertEquals(
        new Renewal.Answer(true, 0, 0, 0, new Revision(0)), keeper.renew(look).orElseThrow());

    LeaseLife lease = LeaseLife.of(new LeaseId(5), new Revision(6));
    keeper.leaseBegan(lease, Duration.ofSeconds(3));
    pass(1_000);
    Renewal.Look any = new Renewal.Look(new Renewal.OfLease(new LeaseId(5), new Revision(0)));
    assertEquals(
        new Renewal.Answer(true, 2_000, 0, 0, new Revision(0)), keeper.renew(any).orElseThrow());
    Renewal.Look other = new Renewal.Look(new Renewal.OfLease(new LeaseId(5), new Revision(7)));
    assertFalse(keeper.renew(other).orElseThrow().alive());
    assertFalse(
        keeper
            .renew(new Renewal.Look(new Renewal.OfRequest(KEY, holder(1, 100).request().id())))
            .orElseThrow()
            .alive());
  }

  private static Waiter waiter(long ttlMs, long patienceMs) {
    return new Waiter(
        HolderId.of(ClientId.NAMELESS, "w"),
        new RequestHeader(new RequestId.Named(ClientId.NAMELESS, "rw"), 1),
        new Lifetime.Own(new Ttl(ttlMs)),
        new WaitTimeout(patienceMs),
        Metadata.NONE,
        /* since= */ 1);
  }

  @Test
  void removed_deadlines_do_not_pile_up() {
    Deadlines<Integer> deadlines = new Deadlines<>(1_000);
    for (int i = 0; i < 100_000; i++) {
      deadlines.atLeast(i, Long.MAX_VALUE / 2 + i);
      if (i >= 10) {
        deadlines.remove(i - 10);
      }
    }
    assertEquals(10, deadlines.size());
    assertTrue(deadlines.queued() < 5_000, () -> "in the queue: " + deadlines.queued());
  }

  @Test
  void many_due_items_are_reported_in_turns_and_block_nobody() {
    int many = 3 * DeadlineKeeper.MAX_IN_PROGRESS;
    for (int i = 0; i < many; i++) {
      keeper.orphans(new LockKey("k" + i));
    }
    List<ShardDeadline> first = ends();
    assertEquals(DeadlineKeeper.MAX_IN_PROGRESS, first.size());
    assertEquals(List.of(), ends(), "the bound on items in progress is reached");
    keeper.orphansRemoved(((ShardDeadline.Orphans) first.get(0)).key(), keeper.ends());
    List<ShardDeadline> next = ends();
    assertEquals(1, next.size());
    Set<ShardDeadline> told = new HashSet<>(first);
    told.addAll(next);
    for (int i = 0; i < 2; i++) {
      pass(DeadlineKeeper.REPEAT_AFTER.toMillis());
      told.addAll(ends());
    }
    assertEquals(many, told.size(), "though no other of the first has ended");
  }

  /** Returns the due items except ages. */
  private List<ShardDeadline> ends() {
    return keeper.due().stream().filter(EntityWorld::isEnd).toList();
  }

  /** Grants the lock. */
  private void holds(Holder holder) {
    keeper.changed(KEY, LockState.FREE, new LockState(List.of(holder), List.of()), Duration.ZERO);
  }

  private Optional<Renewal.Answer> renew(long token) {
    return keeper.renew(new Renewal.OfGrant(KEY, new FencingToken(token)));
  }

  private void pass(long millis) {
    now.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  private static Holder holder(long token, long ttlMs) {
    return new Holder(
        HolderId.of(ClientId.NAMELESS, "h" + token),
        new RequestHeader(new RequestId.Named(ClientId.NAMELESS, "r" + token), 1),
        new FencingToken(token),
        new Lifetime.Own(new Ttl(ttlMs)),
        1,
        Metadata.NONE);
  }

  @Test
  void a_commit_updates_what_differs_from_the_former_state() {
    Waiter first = waiter(60_000, 10_000);
    LockState before = new LockState(List.of(holder(1, 60_000)), List.of(first));
    keeper.changed(KEY, LockState.FREE, before, Duration.ZERO);
    LockState after =
        before.apply(
            new LockEvent.HandedOver(
                new FencingToken(1), GrantEnding.RELEASED, holderOf(first, 2)));
    keeper.changed(KEY, before, after, Duration.ZERO);
    keeper.complete();
    assertFalse(renew(1).orElseThrow().alive());
    assertTrue(renew(2).orElseThrow().alive());
    assertEquals(1, keeper.size(), "a holder does not wait any more");
    keeper.changed(KEY, after, LockState.FREE, Duration.ZERO);
    assertEquals(0, keeper.size());
  }

  private static Holder holderOf(Waiter waiter, long token) {
    return new Holder(
        waiter.id(),
        waiter.request(),
        new FencingToken(token),
        waiter.life(),
        1,
        waiter.metadata());
  }

  @Test
  void an_unchanged_grant_keeps_its_deadline() {
    LockState held = new LockState(List.of(holder(1, 1_000)), List.of());
    keeper.changed(KEY, LockState.FREE, held, Duration.ZERO);
    pass(600);
    keeper.changed(KEY, held, held, Duration.ZERO);
    keeper.recovered(KEY, held, Duration.ZERO, /* hasOrphans= */ false);
    pass(400);
    assertEquals(1, ends().size());
  }

  @Test
  void a_lease_that_ends_while_the_journal_is_read_stays_ended() {
    DeadlineKeeper fresh = new DeadlineKeeper(() -> true, () -> 0);
    LeaseLife lease = LeaseLife.of(new LeaseId(7), new Revision(3));
    fresh.leaseEnded(lease);
    fresh.leaseFound(lease, Duration.ofSeconds(10), Duration.ZERO);
    fresh.complete();
    assertEquals(
        Optional.of(false),
        fresh
            .renew(new Renewal.OfLease(new LeaseId(7), new Revision(3)))
            .map(Renewal.Answer::alive));
  }

  @Test
  void a_lock_that_changes_while_the_journal_is_read_is_current() {
    DeadlineKeeper fresh = new DeadlineKeeper(() -> true, () -> 0);
    Holder holder = holder(1, 10_000);
    Waiter waiter = waiter(60_000, 10_000);
    LockState before = new LockState(List.of(holder), List.of(waiter));
    fresh.recovered(KEY, before, Duration.ZERO, /* hasOrphans= */ false);
    fresh.changed(KEY, before, LockState.FREE, Duration.ZERO);
    fresh.found(KEY, before, Duration.ZERO, /* hasOrphans= */ false);
    fresh.complete();
    assertEquals(0, fresh.size());
    assertEquals(
        Optional.of(false),
        fresh.renew(new Renewal.OfGrant(KEY, holder.token())).map(Renewal.Answer::alive));
  }

  private static Holder onSharedLease() {
    return new Holder(
        HolderId.of(ClientId.NAMELESS, "h"),
        new RequestHeader(new RequestId.Named(ClientId.NAMELESS, "r"), 1),
        new FencingToken(1),
        new Lifetime.Shared(LeaseLife.of(new LeaseId(5), new Revision(6)), new Ttl(1_000)),
        1,
        Metadata.NONE);
  }
}
