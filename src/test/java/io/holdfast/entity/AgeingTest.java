package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Life;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockState;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Request;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When the keeper has the age of a grant written down, and what it answers meanwhile. */
class AgeingTest {

  private static final LockKey KEY = new LockKey("key");
  private static final FencingToken TOKEN = new FencingToken(1);
  private static final Timed AGE = new Timed.Age(KEY, TOKEN);
  private static final long HOUR = 3_600_000;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000); // it wraps
  private Keeper keeper = new Keeper(() -> true, now::get);
  private LockState lock = LockState.FREE;

  @Test
  void a_silent_grant_is_written_down_once_at_half_its_ttl() {
    grant(1_000);
    pass(499);
    assertEquals(List.of(), keeper.due());
    pass(1);
    assertEquals(List.of(AGE), keeper.due());
    write(500);
    pass(499);
    assertEquals(List.of(), keeper.due());
    pass(1);
    assertEquals(List.of(new Timed.Grant(KEY, TOKEN)), keeper.due());
  }

  @Test
  void of_a_long_ttl_each_quarter_of_an_hour_is_written_down() {
    grant(HOUR);
    for (long millis = HOUR / 4; millis < HOUR; millis += HOUR / 4) {
      pass(HOUR / 4);
      assertEquals(List.of(AGE), keeper.due());
      write(millis);
    }
    pass(HOUR / 4);
    assertEquals(List.of(new Timed.Grant(KEY, TOKEN)), keeper.due());
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
  void a_sign_of_life_is_answered_only_once_what_is_written_is_set_back() {
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
  void a_sign_of_life_is_not_answered_while_an_age_is_on_its_way() {
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
  void a_sign_of_life_without_an_answer_still_moves_the_end() {
    grant(1_000);
    pass(500);
    keeper.due();
    write(500);
    pass(499);
    assertFalse(renews());
    pass(999);
    assertFalse(keeper.due().contains(new Timed.Grant(KEY, TOKEN)));
    pass(1);
    assertTrue(keeper.due().contains(new Timed.Grant(KEY, TOKEN)));
  }

  @Test
  void what_is_measured_late_counts_what_came_since_it_was_due() {
    grant(1_000);
    pass(500);
    assertEquals(List.of(AGE), keeper.due());
    assertTrue(renews());
    write(0); // what was told as due comes to the actor only now
    pass(499);
    assertEquals(List.of(), keeper.due());
  }

  @Test
  void an_age_is_counted_on_from_what_the_owner_before_has_written() {
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
    assertEquals(List.of(new Timed.Grant(KEY, TOKEN)), keeper.due());
  }

  @Test
  void what_is_in_doubt_does_not_count_as_age() {
    grant(1_000);
    takeOver(Duration.ofSeconds(2));
    pass(2_499);
    assertEquals(List.of(), keeper.due());
    pass(1);
    assertEquals(List.of(AGE), keeper.due());
    write(500);
  }

  @Test
  void what_became_of_a_measurement_is_known_once_the_next_actor_has_recovered() {
    grant(1_000);
    pass(500);
    keeper.measure(KEY, TOKEN);
    assertFalse(renews(), "its write may still come true");
    keeper.recovered(KEY, lock, Duration.ZERO, false);
    assertTrue(renews(), "it has not");
  }

  @Test
  void a_reentry_that_is_written_sets_the_age_back() {
    grant(1_000);
    pass(500);
    write(500);
    becomes(lock.apply(new LockEvent.Reentered(TOKEN, 2)));
    assertTrue(renews());
  }

  @Test
  void one_that_is_written_together_with_an_age_is_not_answered() {
    grant(1_000);
    pass(500);
    assertEquals(Optional.of(Duration.ofMillis(500)), keeper.measure(KEY, TOKEN));
    becomes(lock.apply(new LockEvent.Reentered(TOKEN, 2)));
    assertFalse(renews());
    written(500);
    assertFalse(renews());
  }

  @Test
  void of_a_grant_that_is_not_there_nothing_is_measured() {
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
            new Request(new RequestId.Named(ClientId.NAMELESS, "r"), 1),
            TOKEN,
            new Life.Own(new Ttl(ttlMs)),
            1,
            Metadata.NONE);
    lock = LockState.FREE;
    becomes(lock.apply(new LockEvent.Granted(holder)));
  }

  private void becomes(LockState after) {
    keeper.changed(KEY, lock, after, Duration.ZERO);
    lock = after;
  }

  /** The actor has it measured, which comes to this, and writes it. */
  private void write(long millis) {
    assertEquals(Optional.of(Duration.ofMillis(millis)), keeper.measure(KEY, TOKEN));
    written(millis);
  }

  private void written(long millis) {
    lock = lock.apply(new LockEvent.Aged(TOKEN, Duration.ofMillis(millis)));
    keeper.aged(KEY, lock);
  }

  private void takeOver(Duration doubt) {
    keeper = new Keeper(() -> true, now::get);
    keeper.found(KEY, lock, doubt, false);
  }

  private boolean renews() {
    return keeper.renew(new Renewal.OfGrant(KEY, TOKEN)).map(Renewal.Answer::alive).orElse(false);
  }

  private void pass(long millis) {
    now.addAndGet(Duration.ofMillis(millis).toNanos());
  }
}
