package io.holdfast.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests when the age of a grant is recorded, and which keepalives are answered meanwhile. */
class GrantAgeTest {

  private static final LockKey KEY = new LockKey("key");
  private static final FencingToken TOKEN = new FencingToken(1);
  private static final ShardDeadline AGE = new ShardDeadline.Age(KEY, TOKEN);
  private static final long HOUR = 3_600_000;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000); // it wraps
  private DeadlineKeeper keeper = new DeadlineKeeper(() -> true, now::get);
  private LockState lock = LockState.FREE;

  @Test
  void the_age_of_a_silent_grant_is_recorded_at_half_its_ttl() {
    grant(1_000);
    pass(499);
    assertEquals(List.of(), keeper.due());
    pass(1);
    assertEquals(List.of(AGE), keeper.due());
    write(500);
    pass(499);
    assertEquals(List.of(), keeper.due());
    pass(1);
    assertEquals(List.of(new ShardDeadline.Grant(KEY, TOKEN)), keeper.due());
  }

  @Test
  void the_age_on_a_long_ttl_is_recorded_every_quarter_hour() {
    grant(HOUR);
    for (long millis = HOUR / 4; millis < HOUR; millis += HOUR / 4) {
      pass(HOUR / 4);
      assertEquals(List.of(AGE), keeper.due());
      write(millis);
    }
    pass(HOUR / 4);
    assertEquals(List.of(new ShardDeadline.Grant(KEY, TOKEN)), keeper.due());
  }

  @Test
  void a_holder_that_renews_before_half_its_ttl_causes_no_write() {
    grant(1_000);
    for (int i = 0; i < 20; i++) {
      pass(499);
      assertEquals(List.of(), keeper.due());
      assertTrue(renews());
    }
  }

  @Test
  void a_keepalive_is_answered_only_after_the_age_is_set_back() {
    grant(1_000);
    pass(500);
    keeper.due();
    write(500);
    pass(100);
    assertFalse(renews());
    assertEquals(List.of(AGE), keeper.due(), "at once");
    assertFalse(renews());
    write(0);
    assertTrue(renews());
  }

  @Test
  void a_keepalive_is_not_answered_while_an_age_is_in_flight() {
    grant(1_000);
    pass(500);
    keeper.due();
    assertTrue(renews(), "nothing is measured yet");
    pass(500);
    keeper.due();
    assertEquals(Optional.of(Duration.ofMillis(500)), keeper.measure(KEY, TOKEN));
    assertFalse(renews());
    written(500);
    assertFalse(renews());
    assertEquals(List.of(AGE), keeper.due(), "at once");
    write(0);
    assertTrue(renews());
  }

  @Test
  void a_keepalive_without_an_answer_still_moves_the_deadline() {
    grant(1_000);
    pass(500);
    keeper.due();
    write(500);
    pass(499);
    assertFalse(renews());
    pass(999);
    assertFalse(keeper.due().contains(new ShardDeadline.Grant(KEY, TOKEN)));
    pass(1);
    assertTrue(keeper.due().contains(new ShardDeadline.Grant(KEY, TOKEN)));
  }

  @Test
  void a_keepalive_older_than_the_recorded_age_is_not_answered() {
    grant(1_000);
    pass(500);
    keeper.due();
    write(500);
    pass(300);
    Renewal.OfGrant renewal = new Renewal.OfGrant(KEY, TOKEN);
    assertEquals(Optional.empty(), keeper.renew(renewal, Duration.ofMillis(600)));
    assertEquals(List.of(), keeper.due(), "the record stands");
    pass(399);
    assertEquals(List.of(), keeper.due());
    pass(1);
    assertEquals(List.of(new ShardDeadline.Grant(KEY, TOKEN)), keeper.due(), "ttl after it came");
  }

  @Test
  void a_late_measurement_includes_keepalives_since_it_was_due() {
    grant(1_000);
    pass(500);
    assertEquals(List.of(AGE), keeper.due());
    assertTrue(renews());
    write(0); // the due item reaches the actor only now
    pass(499);
    assertEquals(List.of(), keeper.due());
  }

  @Test
  void an_age_continues_from_the_record_of_the_former_owner() {
    grant(HOUR);
    pass(HOUR / 2);
    write(HOUR / 2);
    takeOver(Duration.ZERO);
    pass(HOUR / 4 - 1);
    assertEquals(List.of(), keeper.due());
    pass(1);
    assertEquals(List.of(AGE), keeper.due());
    write(3 * HOUR / 4);
    takeOver(Duration.ZERO);
    pass(HOUR / 4);
    assertEquals(List.of(new ShardDeadline.Grant(KEY, TOKEN)), keeper.due());
  }

  @Test
  void doubt_does_not_count_as_age() {
    grant(1_000);
    takeOver(Duration.ofSeconds(2));
    pass(2_499);
    assertEquals(List.of(), keeper.due());
    pass(1);
    assertEquals(List.of(AGE), keeper.due());
    write(500);
  }

  @Test
  void a_lost_measurement_is_resolved_by_the_next_recovery() {
    grant(1_000);
    pass(500);
    keeper.measure(KEY, TOKEN);
    assertFalse(renews(), "its write may still commit");
    keeper.recovered(KEY, lock, Duration.ZERO, false);
    assertTrue(renews(), "it has not");
  }

  @Test
  void a_written_reentry_sets_the_age_back() {
    grant(1_000);
    pass(500);
    write(500);
    becomes(lock.apply(new LockEvent.Reentered(TOKEN, 2)));
    assertTrue(renews());
  }

  @Test
  void a_reentry_in_one_write_with_an_age_is_not_answered() {
    grant(1_000);
    pass(500);
    assertEquals(Optional.of(Duration.ofMillis(500)), keeper.measure(KEY, TOKEN));
    becomes(lock.apply(new LockEvent.Reentered(TOKEN, 2)));
    assertFalse(renews());
    written(500);
    assertFalse(renews());
  }

  @Test
  void a_missing_grant_is_not_measured() {
    grant(1_000);
    pass(500);
    keeper.due();
    keeper.ended(KEY, TOKEN);
    assertEquals(Optional.empty(), keeper.measure(KEY, TOKEN));
    pass(10_000);
    assertEquals(List.of(), keeper.due());
  }

  private void grant(long ttlMs) {
    Holder holder =
        new Holder(
            HolderId.of(ClientId.NAMELESS, "h"),
            new RequestHeader(new RequestId.Named(ClientId.NAMELESS, "r"), 1),
            TOKEN,
            new Lifetime.Own(new Ttl(ttlMs)),
            1,
            Metadata.NONE);
    lock = LockState.FREE;
    becomes(lock.apply(new LockEvent.Granted(holder)));
  }

  private void becomes(LockState after) {
    keeper.changed(KEY, lock, after, Duration.ZERO);
    lock = after;
  }

  /** Measures the age, expects this value, and writes it. */
  private void write(long millis) {
    assertEquals(Optional.of(Duration.ofMillis(millis)), keeper.measure(KEY, TOKEN));
    written(millis);
  }

  private void written(long millis) {
    lock = lock.apply(new LockEvent.Aged(TOKEN, Duration.ofMillis(millis)));
    keeper.aged(KEY, lock);
  }

  private void takeOver(Duration doubt) {
    keeper = new DeadlineKeeper(() -> true, now::get);
    keeper.found(KEY, lock, doubt, false);
  }

  private boolean renews() {
    return keeper.renew(new Renewal.OfGrant(KEY, TOKEN)).map(Renewal.Answer::alive).orElse(false);
  }

  private void pass(long millis) {
    now.addAndGet(Duration.ofMillis(millis).toNanos());
  }
}
