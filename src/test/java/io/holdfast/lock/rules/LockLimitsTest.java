package io.holdfast.lock.rules;

import static io.holdfast.lock.rules.LockFixture.OWN;
import static io.holdfast.lock.rules.LockFixture.SHARED;
import static io.holdfast.lock.rules.LockFixture.acquire;
import static io.holdfast.lock.rules.LockFixture.held;
import static io.holdfast.lock.rules.LockFixture.request;
import static io.holdfast.lock.rules.LockFixture.waiter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.WaitTimeout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests commands at the limits of a lease, of the kept request ids and of the whole state. */
class LockLimitsTest {

  private static final OptionalInt NONE = OptionalInt.empty();

  private final LockMachine machine = new LockMachine(/* maxWaiters= */ 1_000);

  @Test
  void a_copy_refused_by_a_full_lease_is_recorded() {
    DecisionContext given = given(new Full(NONE, OptionalInt.of(9), NONE, NONE));
    LockCommand.Acquire copy =
        ((LockCommand.Acquire) acquire("bert", "r-bert", SHARED, false)).after(250);
    SingleDecision decision = SingleDecision.decide(machine, LockState.FREE, copy, given);
    assertEquals(
        new Outcome.Refused(new Refusal.LimitReached(Refusal.Limit.KEYS_ON_LEASE, 9)),
        decision.outcome());
    assertTrue(decision.kept());
    assertEquals(1, decision.recorded().size());
  }

  @Test
  void a_limit_beyond_the_lock_refuses_only_what_would_exceed_it() {
    Refusal ids = new Refusal.LimitReached(Refusal.Limit.REQUEST_IDS, 7);
    LockState held = held("anna", OWN, 1);
    LockState twice = held("anna", OWN, 2);
    LockCommand queue = queue(request("r-bert"), OWN);
    assertEquals(ids, refused(LockState.FREE, acquire("bert", "r-bert", OWN, false), full()));
    assertEquals(ids, refused(held, queue, full()));
    assertEquals(ids, refused(held, acquire("anna", "r-again", OWN, true), full()));
    LockCommand release =
        new LockCommand.Release(request("release"), new FencingToken(1), /* all= */ true);
    assertEquals(ids, refused(held, release, full()));
    LockCommand force = new LockCommand.Force(request("force"), null, "why");
    assertEquals(ids, refused(held, force, full()));
    assertEquals(ids, refused(LockState.FREE, new LockCommand.Cancel(request("x").id()), full()));
    assertEquals(ids, refused(twice, new LockCommand.Cancel(request("r-anna").id()), full()));

    LockMachine machine = new LockMachine(/* maxWaiters= */ 10);
    LockCommand cancel = new LockCommand.Cancel(request("r-anna").id());
    SingleDecision cancelled = SingleDecision.decide(machine, held, cancel, full());
    assertTrue(cancelled.events().get(0) instanceof LockEvent.Freed, cancelled::toString);
    assertEquals(Map.of(), cancelled.recorded());
    LockCommand repeated = acquire("anna", "r-anna", OWN, false);
    assertFalse(
        SingleDecision.decide(machine, held, repeated, full()).outcome()
            instanceof Outcome.Refused);
    LockState contended = new LockState(held.holders(), List.of(waiter("bert")));
    LockCommand expire = new LockCommand.Expire(new FencingToken(1));
    SingleDecision expired = SingleDecision.decide(machine, contended, expire, full());
    assertTrue(expired.events().get(0) instanceof LockEvent.HandedOver, "that is for another");
  }

  @Test
  void a_lease_with_all_its_keys_gets_no_other() {
    Refusal keys = new Refusal.LimitReached(Refusal.Limit.KEYS_ON_LEASE, 9);
    LockCommand acquire =
        queue(new RequestHeader(new RequestId.Once(ClientId.NAMELESS, 1), 1), SHARED);
    assertEquals(keys, refused(LockState.FREE, acquire, full()));
    assertEquals(keys, refused(held("anna", OWN, 1), acquire, full()));
    LockState onIt = held("anna", SHARED, 1);
    SingleDecision again =
        SingleDecision.decide(new LockMachine(/* maxWaiters= */ 10), onIt, acquire, full());
    assertEquals(1, again.events().size(), "this key is on the lease already");
  }

  private static Refusal refused(LockState state, LockCommand command, DecisionContext given) {
    SingleDecision decision =
        SingleDecision.decide(new LockMachine(/* maxWaiters= */ 10), state, command, given);
    assertEquals(List.of(), decision.events());
    assertEquals(Map.of(), decision.recorded());
    if (decision.outcome() instanceof Outcome.Refused refused) {
      return refused.refusal();
    }
    throw new AssertionError("not refused: " + decision);
  }

  @Test
  void a_full_state_refuses_only_what_needs_more_room() {
    Refusal full = new Refusal.LimitReached(Refusal.Limit.STATE, 40);
    LockState held = held("anna", OWN, 2);
    LockCommand queue = queue(request("r-bert"), OWN);
    assertEquals(
        full, refused(LockState.FREE, acquire("bert", "r-bert", OWN, false), stateFull(false)));
    assertEquals(full, refused(held, queue, stateFull(false)));
    assertEquals(full, refused(held, acquire("anna", "r-2", OWN, true), stateFull(false)));
    assertTrue(
        refused(held, acquire("bert", "r-bert", OWN, false), stateFull(false))
            instanceof Refusal.Held);
    for (boolean reserve : List.of(true, false)) {
      LockCommand release =
          new LockCommand.Release(request("r-3"), new FencingToken(1), /* all= */ true);
      assertTrue(
          SingleDecision.decide(machine, held, release, stateFull(reserve)).outcome()
              instanceof Outcome.Released);
      LockState queued = new LockState(held.holders(), List.of(waiter("bert")));
      SingleDecision handedOver =
          SingleDecision.decide(machine, queued, release, stateFull(reserve));
      assertTrue(handedOver.events().get(0) instanceof LockEvent.HandedOver, handedOver::toString);
      LockCommand cancel = new LockCommand.Cancel(request("r-bert").id());
      assertTrue(
          SingleDecision.decide(machine, queued, cancel, stateFull(reserve)).outcome()
              instanceof Outcome.Cancelled);
    }
  }

  @Test
  void a_record_for_late_copies_uses_the_reserve_of_a_full_state() {
    Refusal full = new Refusal.LimitReached(Refusal.Limit.STATE, 40);
    LockCommand cancel = new LockCommand.Cancel(request("r-bert").id());
    SingleDecision kept = SingleDecision.decide(machine, LockState.FREE, cancel, stateFull(false));
    assertEquals(1, kept.recorded().size());
    assertEquals(full, refused(LockState.FREE, cancel, stateFull(true)));
    LockCommand.Acquire copy =
        ((LockCommand.Acquire) acquire("bert", "r-bert", OWN, false)).after(250);
    SingleDecision refused = SingleDecision.decide(machine, LockState.FREE, copy, stateFull(false));
    assertEquals(new Outcome.Refused(full), refused.outcome());
    assertEquals(1, refused.recorded().size(), "no later copy is granted");
    SingleDecision unsure = SingleDecision.decide(machine, LockState.FREE, copy, stateFull(true));
    assertEquals(new Outcome.Refused(full), unsure.outcome());
    assertTrue(unsure.kept() && unsure.events().isEmpty());
  }

  @Test
  void a_counted_release_needs_the_reserve_for_its_record() {
    Refusal full = new Refusal.LimitReached(Refusal.Limit.STATE, 40);
    LockState held = held("anna", OWN, 3);
    LockCommand out =
        new LockCommand.Release(request("r-3"), new FencingToken(1), /* all= */ false);
    assertEquals(1, SingleDecision.decide(machine, held, out, stateFull(false)).recorded().size());
    assertEquals(full, refused(held, out, stateFull(true)));
    LockCommand cancel = new LockCommand.Cancel(request("r-anna").id());
    assertEquals(
        1, SingleDecision.decide(machine, held, cancel, stateFull(false)).recorded().size());
    assertEquals(full, refused(held, cancel, stateFull(true)));
    RequestId once = new RequestId.Once(ClientId.NAMELESS, 7);
    SingleDecision unkept =
        SingleDecision.decide(
            machine,
            held,
            new LockCommand.Release(
                new RequestHeader(once, ContentHash.ANY), new FencingToken(1), false),
            stateFull(true));
    assertEquals(Map.of(), unkept.recorded());
    assertTrue(unkept.outcome() instanceof Outcome.Released, unkept::toString);
  }

  private static DecisionContext stateFull(boolean reserve) {
    OptionalInt state = OptionalInt.of(40);
    return given(new Full(NONE, NONE, state, reserve ? state : NONE));
  }

  private static DecisionContext full() {
    return given(new Full(OptionalInt.of(7), OptionalInt.of(9), NONE, NONE));
  }

  private static DecisionContext given(Limits limits) {
    return new DecisionContext(
        LockFixture::two,
        new Revision(30),
        lease -> false,
        request -> Optional.empty(),
        request -> false,
        limits);
  }

  /** The limits that are reached. */
  private record Full(OptionalInt ids, OptionalInt keys, OptionalInt state, OptionalInt reserve)
      implements Limits {

    @Override
    public OptionalInt requestIds(RequestId another, int decidedNow) {
      return ids;
    }

    @Override
    public OptionalInt keysOn(LeaseLife lease) {
      return keys;
    }
  }

  private static LockCommand queue(RequestHeader request, Lifetime life) {
    return new LockCommand.Acquire(
        request,
        HolderId.of(ClientId.NAMELESS, "bert"),
        life,
        new WaitTimeout(1),
        /* reenter= */ false,
        Metadata.NONE);
  }
}
