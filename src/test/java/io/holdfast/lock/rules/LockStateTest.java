package io.holdfast.lock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.OutOfBound;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests that an illegal state cannot be created, and that an impossible event is not applied. */
class LockStateTest {

  private static final Lifetime LIFE = new Lifetime.Own(new Ttl(1_000));
  private static final Holder ANNA = holder("anna", 5);
  private static final Waiter BERT = waiter("bert");
  private static final Waiter CARL = waiter("carl");

  @Test
  void two_holders_are_illegal() {
    breaks("I1", () -> new LockState(List.of(ANNA, holder("bert", 6)), List.of()));
  }

  @Test
  void a_free_lock_with_waiters_is_illegal() {
    breaks("I12", () -> new LockState(List.of(), List.of(BERT)));
  }

  @Test
  void a_request_that_waits_twice_is_illegal() {
    breaks("I8", () -> new LockState(List.of(ANNA), List.of(BERT, BERT)));
  }

  @Test
  void a_held_lock_cannot_be_granted() {
    LockState held = new LockState(List.of(ANNA), List.of());
    breaks("I1", () -> held.apply(new LockEvent.Granted(holder("bert", 6))));
  }

  @Test
  void a_hand_over_needs_a_greater_token() {
    LockState held = new LockState(List.of(ANNA), List.of(BERT));
    breaks("I2", () -> held.apply(handOver(ANNA, holder("bert", 5))));
  }

  @Test
  void a_hand_over_goes_to_the_first_in_the_queue() {
    LockState held = new LockState(List.of(ANNA), List.of(BERT, CARL));
    breaks("I6", () -> held.apply(handOver(ANNA, holder("carl", 6))));
  }

  @Test
  void a_missing_holder_or_waiter_cannot_end() {
    LockState held = new LockState(List.of(ANNA), List.of());
    FencingToken stale = new FencingToken(4);
    breaks("not there", () -> held.apply(new LockEvent.Freed(stale, GrantEnding.EXPIRED)));
    breaks(
        "not there",
        () ->
            held.apply(new LockEvent.Left(BERT.request().id(), LockCommand.LeaveCause.TIMED_OUT)));
  }

  @Test
  void a_count_changes_by_one_and_never_to_zero() {
    LockState once = new LockState(List.of(ANNA), List.of());
    LockState twice = once.apply(new LockEvent.Reentered(ANNA.token(), 2));
    assertEquals(once, twice.apply(new LockEvent.SteppedOut(ANNA.token(), 1)));
    breaks("not there", () -> once.apply(new LockEvent.Reentered(ANNA.token(), 3)));
    breaks("not there", () -> twice.apply(new LockEvent.SteppedOut(ANNA.token(), 2)));
    breaks("not there", () -> twice.apply(new LockEvent.SteppedOut(new FencingToken(4), 1)));
    assertThrows(OutOfBound.class, () -> once.apply(new LockEvent.SteppedOut(ANNA.token(), 0)));
  }

  @Test
  void a_grant_ages_up_to_its_ttl_until_a_written_keepalive() {
    LockState young = new LockState(List.of(ANNA), List.of(BERT));
    LockState old = young.apply(aged(ANNA, 1_000));
    assertEquals(Duration.ofSeconds(1), old.holders().get(0).aged());
    assertEquals(
        young.apply(new LockEvent.Reentered(ANNA.token(), 2)),
        old.apply(new LockEvent.Reentered(ANNA.token(), 2)));
    assertEquals(young, old.apply(aged(ANNA, 0)));
    assertThrows(OutOfBound.class, () -> young.apply(aged(ANNA, 1_001)));
    breaks("not there", () -> young.apply(aged(holder("carl", 6), 1)));
  }

  private static LockEvent aged(Holder holder, long millis) {
    return new LockEvent.Aged(holder.token(), Duration.ofMillis(millis));
  }

  @Test
  void a_barred_request_does_not_change_the_state() {
    LockState held = new LockState(List.of(ANNA), List.of(BERT));
    assertEquals(held, held.apply(new LockEvent.Barred(CARL.request().id())));
  }

  @Test
  void a_held_lock_cannot_be_forgotten() {
    LockState held = new LockState(List.of(ANNA), List.of());
    breaks("I3", () -> held.apply(new LockEvent.Forgotten()));
    assertTrue(LockState.FREE.apply(new LockEvent.Forgotten()).isFree());
  }

  private static LockEvent handOver(Holder from, Holder to) {
    return new LockEvent.HandedOver(from.token(), GrantEnding.RELEASED, to);
  }

  private static void breaks(String what, Executable change) {
    String message = String.valueOf(assertThrows(IllegalStateException.class, change).getMessage());
    assertTrue(message.contains(what), message);
  }

  private static Holder holder(String name, long token) {
    return new Holder(
        id(name), request(name), new FencingToken(token), LIFE, /* count= */ 1, Metadata.NONE);
  }

  private static Waiter waiter(String name) {
    return new Waiter(
        id(name), request(name), LIFE, new WaitTimeout(1_000), Metadata.NONE, /* since= */ 1);
  }

  private static HolderId id(String name) {
    return HolderId.of(ClientId.NAMELESS, name);
  }

  private static RequestHeader request(String name) {
    return new RequestHeader(new RequestId.Named(ClientId.NAMELESS, name), /* content= */ 1);
  }
}
