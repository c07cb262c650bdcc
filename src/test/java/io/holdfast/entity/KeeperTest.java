package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.Ending;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.Life;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockState;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Patience;
import io.holdfast.lock.Request;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When what ends, and which sign of life counts. */
class KeeperTest {

  private static final LockKey KEY = new LockKey("key");

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000); // it wraps
  private boolean sure = true;
  private final Keeper keeper = new Keeper(() -> sure, now::get);

  @Test
  void a_grant_is_due_at_its_ttl_and_told_again_until_it_ended() {
    holds(holder(1, 1_000));
    pass(999);
    assertEquals(List.of(), ends());
    pass(1);
    Timed grant = new Timed.Grant(KEY, new FencingToken(1));
    assertEquals(List.of(grant), ends());
    assertEquals(List.of(), ends());
    pass(Keeper.REPEAT_AFTER.toMillis());
    assertEquals(List.of(grant), ends());
    keeper.ended(KEY, new FencingToken(1));
    pass(Keeper.REPEAT_AFTER.toMillis());
    assertEquals(List.of(), ends());
  }

  @Test
  void the_end_of_a_lease_that_comes_while_another_is_swept_is_told_again() {
    Timed orphans = new Timed.Orphans(KEY);
    keeper.orphans(KEY);
    assertEquals(List.of(orphans), ends());
    long heard = keeper.ends();
    keeper.orphans(KEY); // while what came of the first is written
    keeper.swept(KEY, heard);
    assertEquals(List.of(orphans), ends());
    keeper.swept(KEY, keeper.ends());
    pass(Keeper.REPEAT_AFTER.toMillis());
    assertEquals(List.of(), ends());
  }

  @Test
  void once_it_is_told_as_due_no_sign_of_life_is_answered() {
    holds(holder(1, 1_000));
    pass(1_000);
    ends();
    assertEquals(Optional.empty(), renew(1));
  }

  @Test
  void a_sign_of_life_that_comes_after_the_ttl_but_before_the_look_still_counts() {
    holds(holder(1, 1_000));
    pass(1_500);
    assertTrue(renew(1).orElseThrow().alive());
    assertEquals(List.of(), ends());
  }

  @Test
  void what_is_not_known_is_dead_only_once_all_is_known() {
    assertEquals(Optional.empty(), renew(1));
    keeper.complete();
    assertFalse(renew(1).orElseThrow().alive());
  }

  @Test
  void who_is_not_sure_to_own_the_shard_answers_nothing() {
    holds(holder(1, 1_000));
    sure = false;
    assertEquals(Optional.empty(), renew(1));
  }

  @Test
  void what_was_held_before_this_ownership_has_its_full_time_and_what_was_in_doubt() {
    keeper.found(
        KEY, new LockState(List.of(holder(1, 1_000)), List.of()), Duration.ofSeconds(2), false);
    assertTrue(renew(1).orElseThrow().alive(), "and a sign of life takes nothing away");
    pass(2_999);
    assertEquals(List.of(), ends());
    pass(1);
    assertEquals(1, ends().size());
  }

  @Test
  void what_has_surely_passed_before_this_ownership_is_taken_off() {
    keeper.found(KEY, aged(400), Duration.ofSeconds(2), false);
    pass(599);
    assertEquals(List.of(), ends());
    pass(1);
    assertEquals(1, ends().size(), "of which there is no doubt");
  }

  private static LockState aged(long millis) {
    return new LockState(List.of(holder(1, 1_000)), List.of())
        .apply(new LockEvent.Aged(new FencingToken(1), Duration.ofMillis(millis)));
  }

  @Test
  void what_was_granted_since_is_not_taken_back_by_what_was_found() {
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
    assertEquals(new Renewal.Answer(true, 0, 1, 0, 0), renew(1).orElseThrow());
    pass(10_000);
    assertEquals(List.of(), ends(), "its end is the lease's");
    keeper.orphans(KEY);
    assertEquals(List.of(new Timed.Orphans(KEY)), ends());
    assertEquals(Optional.empty(), renew(1));
    keeper.swept(KEY, keeper.ends());
  }

  @Test
  void a_grant_on_a_lease_that_has_ended_is_not_told_to_live_before_its_turn() {
    holds(onSharedLease());
    keeper.orphans(KEY);
    assertEquals(Optional.empty(), renew(1));
  }

  @Test
  void the_earliest_end_of_a_patience_counts() {
    Waiter waiter = waiter(60_000, 10_000);
    LockState held = new LockState(List.of(holder(1, 60_000)), List.of());
    keeper.changed(
        KEY, LockState.FREE, new LockState(held.holders(), List.of(waiter)), Duration.ZERO);
    pass(1_000);
    keeper.waitsAtMost(KEY, waiter.request().id(), new Patience(2_000));
    keeper.waitsAtMost(KEY, waiter.request().id(), new Patience(9_500));
    pass(1_999);
    assertEquals(List.of(), ends());
    pass(1);
    assertEquals(List.of(new Timed.Patient(KEY, waiter.request().id())), ends());
    keeper.left(KEY, waiter.request().id());
    pass(10_000);
    assertEquals(List.of(), ends());
    keeper.waitsAtMost(KEY, waiter.request().id(), new Patience(1));
    pass(1);
    assertEquals(List.of(), ends(), "who does not wait has no patience");
  }

  @Test
  void a_look_says_what_is_left_and_is_no_sign_of_life() {
    holds(holder(1, 1_000));
    pass(400);
    Renewal.Look look = new Renewal.Look(new Renewal.OfGrant(KEY, new FencingToken(1)));
    assertEquals(new Renewal.Answer(true, 600, 0, 0, 0), keeper.renew(look).orElseThrow());
    sure = false;
    assertEquals(new Renewal.Answer(true, 600, 0, 0, 0), keeper.renew(look).orElseThrow());
    sure = true;
    pass(600);
    assertEquals(1, ends().size());
    assertEquals(new Renewal.Answer(true, 0, 0, 0, 0), keeper.renew(look).orElseThrow());

    LeaseLife lease = new LeaseLife(5, 6);
    keeper.leaseBegan(lease, Duration.ofSeconds(3));
    pass(1_000);
    Renewal.Look any = new Renewal.Look(new Renewal.OfLease(5, 0));
    assertEquals(new Renewal.Answer(true, 2_000, 0, 0, 0), keeper.renew(any).orElseThrow());
    Renewal.Look other = new Renewal.Look(new Renewal.OfLease(5, 7));
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
        new Request(new RequestId.Named(ClientId.NAMELESS, "rw"), 1),
        new Life.Own(new Ttl(ttlMs)),
        new Patience(patienceMs),
        Metadata.NONE,
        /* since= */ 1);
  }

  @Test
  void what_was_taken_out_does_not_pile_up() {
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
  void what_is_due_together_is_told_in_turns_and_what_does_not_end_is_in_nobody_s_way() {
    int many = 3 * Keeper.MAX_UNDER_WAY;
    for (int i = 0; i < many; i++) {
      keeper.orphans(new LockKey("k" + i));
    }
    List<Timed> first = ends();
    assertEquals(Keeper.MAX_UNDER_WAY, first.size());
    assertEquals(List.of(), ends(), "as much is under way as may");
    keeper.swept(((Timed.Orphans) first.get(0)).key(), keeper.ends());
    List<Timed> next = ends();
    assertEquals(1, next.size());
    Set<Timed> told = new HashSet<>(first);
    told.addAll(next);
    for (int i = 0; i < 2; i++) {
      pass(Keeper.REPEAT_AFTER.toMillis());
      told.addAll(ends());
    }
    assertEquals(many, told.size(), "though no other of the first has ended");
  }

  /** Random grants, signs of life and ends, against deadlines that are looked up one by one. */
  @Test
  void it_agrees_with_a_list_of_deadlines() {
    Seeds.each(300, KeeperTest::agree);
  }

  private static void agree(SplittableRandom random) {
    long now = random.nextLong();
    Deadlines<Integer> deadlines = new Deadlines<>(1_000);
    Map<Integer, Long> model = new HashMap<>();
    for (int step = 0; step < 200; step++) {
      int what = random.nextInt(10);
      switch (random.nextInt(6)) {
        case 4, 5 -> {
          long at = now + random.nextInt(500);
          if (!deadlines.isDue(what)) {
            model.computeIfPresent(what, (same, before) -> before - at > 0 ? at : before);
          }
          deadlines.atMost(what, at);
        }
        case 0, 1 -> {
          long at = now + random.nextInt(500);
          if (!deadlines.isDue(what)) {
            model.merge(what, at, (before, after) -> after - before > 0 ? after : before);
          }
          deadlines.atLeast(what, at);
        }
        case 2 -> {
          deadlines.remove(what);
          model.remove(what);
        }
        default -> now += random.nextInt(300);
      }
      List<Integer> expected = new ArrayList<>();
      for (Map.Entry<Integer, Long> entry : model.entrySet()) {
        if (entry.getValue() - now <= 0) {
          expected.add(entry.getKey());
          entry.setValue(now + 1_000);
        }
      }
      List<Integer> due = new ArrayList<>(deadlines.due(now, Integer.MAX_VALUE));
      due.sort(null);
      expected.sort(null);
      assertEquals(expected, due);
      assertEquals(model.size(), deadlines.size());
    }
  }

  /** What is due, but what is only to be written down. */
  private List<Timed> ends() {
    return keeper.due().stream().filter(EntityWorld::isEnd).toList();
  }

  /** The lock is granted. */
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
        new Request(new RequestId.Named(ClientId.NAMELESS, "r" + token), 1),
        new FencingToken(token),
        new Life.Own(new Ttl(ttlMs)),
        1,
        Metadata.NONE);
  }

  @Test
  void a_commit_is_the_difference_of_the_lock_before_and_after() {
    Waiter first = waiter(60_000, 10_000);
    LockState before = new LockState(List.of(holder(1, 60_000)), List.of(first));
    keeper.changed(KEY, LockState.FREE, before, Duration.ZERO);
    LockState after =
        before.apply(
            new LockEvent.HandedOver(new FencingToken(1), Ending.RELEASED, holderOf(first, 2)));
    keeper.changed(KEY, before, after, Duration.ZERO);
    keeper.complete();
    assertFalse(renew(1).orElseThrow().alive());
    assertTrue(renew(2).orElseThrow().alive());
    assertEquals(1, keeper.size(), "who holds waits no longer");
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
  void what_stays_as_it_was_keeps_its_time() {
    LockState held = new LockState(List.of(holder(1, 1_000)), List.of());
    keeper.changed(KEY, LockState.FREE, held, Duration.ZERO);
    pass(600);
    keeper.changed(KEY, held, held, Duration.ZERO);
    keeper.recovered(KEY, held, Duration.ZERO, /* hasOrphans= */ false);
    pass(400);
    assertEquals(1, ends().size());
  }

  @Test
  void a_lease_that_ends_while_the_past_is_learned_does_not_come_back() {
    Keeper fresh = new Keeper(() -> true, () -> 0);
    LeaseLife lease = new LeaseLife(7, 3);
    fresh.leaseEnded(lease);
    fresh.leaseFound(lease, Duration.ofSeconds(10), Duration.ZERO);
    fresh.complete();
    assertEquals(
        Optional.of(false), fresh.renew(new Renewal.OfLease(7, 3)).map(Renewal.Answer::alive));
  }

  @Test
  void a_lock_that_changes_while_the_past_is_learned_is_what_it_is_now() {
    Keeper fresh = new Keeper(() -> true, () -> 0);
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
        new Request(new RequestId.Named(ClientId.NAMELESS, "r"), 1),
        new FencingToken(1),
        new Life.Shared(new LeaseLife(5, 6), new Ttl(1_000)),
        1,
        Metadata.NONE);
  }
}
