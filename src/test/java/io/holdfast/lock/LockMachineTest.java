package io.holdfast.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What a scenario cannot say in few words. */
class LockMachineTest {

  private static final LeaseLife LEASE = new LeaseLife(7, 20);
  private static final Life OWN = new Life.Own(new Ttl(1_000));
  private static final Life SHARED = new Life.Shared(LEASE, new Ttl(1_000));

  private final LockMachine machine = new LockMachine(/* maxWaiters= */ 1_000);

  @Test
  void a_holder_enters_up_to_65_535_times() {
    LockState nearly = held("anna", OWN, Holder.MAX_COUNT - 1);
    Alone last = Alone.decide(machine, nearly, acquire("anna", "again", OWN, true), token(2));
    assertEquals(
        new Outcome.Acquired(new FencingToken(1), OWN, 65_535, Outcome.Manner.AT_ONCE),
        last.outcome());
    LockState full = held("anna", OWN, Holder.MAX_COUNT);
    Alone more = Alone.decide(machine, full, acquire("anna", "again", OWN, true), token(2));
    assertEquals(new Outcome.Refused(new Refusal.CountFull(65_535)), more.outcome());
    assertTrue(more.events().isEmpty());
  }

  @Test
  void an_answer_that_stands_changes_nothing_also_when_others_were_let_go() {
    LockState contended = new LockState(List.of(holder("anna", OWN, 1)), List.of(waiter("bert")));
    Alone again = Alone.decide(machine, contended, acquire("anna", "r-anna", OWN, false), ended());
    assertEquals(1, again.events().size());
    assertTrue(again.events().get(0) instanceof LockEvent.Left, again::toString);
  }

  @Test
  void only_what_grants_takes_a_token() {
    LockState held = held("anna", SHARED, 1);
    LockCommand acquire = acquire("bert", "r-bert", OWN, false);
    LockCommand release =
        new LockCommand.Release(request("release"), new FencingToken(1), /* all= */ true);
    assertEquals(1, tokens(LockState.FREE, acquire, lease -> false));
    assertEquals(0, tokens(LockState.FREE, release, lease -> false));
    assertEquals(0, tokens(held, acquire, lease -> false));
    assertEquals(1, tokens(held, acquire, LEASE::equals));
    assertEquals(0, tokens(held, release, LEASE::equals));
    LockState contended = new LockState(held.holders(), List.of(waiter("bert")));
    assertEquals(1, tokens(contended, release, lease -> false));
    assertEquals(0, tokens(contended, acquire("carl", "r-carl", OWN, false), lease -> false));
  }

  private int tokens(LockState state, LockCommand command, Predicate<LeaseLife> hasEnded) {
    AtomicInteger taken = new AtomicInteger();
    Alone.decide(
        machine,
        state,
        command,
        new Given(
            () -> Optional.of(new FencingToken(1 + taken.incrementAndGet())),
            0,
            hasEnded,
            request -> Optional.empty(),
            request -> false,
            Limits.NONE));
    return taken.get();
  }

  @Test
  void a_request_that_is_forgotten_begins_nothing_anew() {
    LockCommand acquire = acquire("bert", "r-bert", OWN, false);
    Alone decision = Alone.decide(machine, LockState.FREE, acquire, forgotten("r-bert"));
    assertEquals(
        new Outcome.Refused(new Refusal.RequestForgotten(request("r-bert").id())),
        decision.outcome());
    assertTrue(decision.events().isEmpty());
  }

  @Test
  void a_request_that_is_forgotten_while_it_waits_is_still_granted() {
    LockState contended = new LockState(List.of(holder("anna", OWN, 1)), List.of(waiter("bert")));
    LockCommand release =
        new LockCommand.Release(request("release"), new FencingToken(1), /* all= */ true);
    Alone decision = Alone.decide(machine, contended, release, forgotten("r-bert"));
    assertTrue(decision.events().get(0) instanceof LockEvent.HandedOver);
    assertEquals(List.of(request("release").id()), List.copyOf(decision.settled().keySet()));
    assertTrue(decision.notices().get(0).kept(), "no copy of it can be granted anew");
  }

  @Test
  void a_copy_of_a_forgotten_request_that_holds_has_an_outcome() {
    LockState held = held("bert", OWN, 1);
    LockCommand.Acquire copy =
        ((LockCommand.Acquire) acquire("bert", "r-bert", OWN, false)).after(250);
    Alone decision = Alone.decide(machine, held, copy, forgotten("r-bert"));
    assertTrue(decision.outcome() instanceof Outcome.Acquired, decision.toString());
    assertTrue(decision.kept(), "it would be asked again for ever");
  }

  @Test
  void a_copy_that_a_full_lease_refuses_leaves_that() {
    Limits full =
        new Limits() {
          @Override
          public OptionalInt requestIds(RequestId another, int decidedNow) {
            return OptionalInt.empty();
          }

          @Override
          public OptionalInt keysOn(LeaseLife lease) {
            return OptionalInt.of(9);
          }
        };
    Given given =
        new Given(
            LockMachineTest::two, 30, lease -> false, id -> Optional.empty(), id -> false, full);
    LockCommand.Acquire copy =
        ((LockCommand.Acquire) acquire("bert", "r-bert", SHARED, false)).after(250);
    Alone decision = Alone.decide(machine, LockState.FREE, copy, given);
    assertEquals(
        new Outcome.Refused(new Refusal.LimitReached(Refusal.Limit.KEYS_ON_LEASE, 9)),
        decision.outcome());
    assertTrue(decision.kept());
    assertEquals(1, decision.settled().size());
  }

  private static Given forgotten(String request) {
    return new Given(
        LockMachineTest::two,
        0,
        lease -> false,
        id -> Optional.empty(),
        request(request).id()::equals,
        Limits.NONE);
  }

  @Test
  void a_bound_beyond_the_lock_refuses_what_would_pass_it_and_nothing_else() {
    Refusal ids = new Refusal.LimitReached(Refusal.Limit.REQUEST_IDS, 7);
    LockState held = held("anna", OWN, 1);
    LockState twice = held("anna", OWN, 2);
    LockCommand queue =
        new LockCommand.Acquire(
            request("r-bert"),
            HolderId.of(ClientId.NAMELESS, "bert"),
            OWN,
            new Patience(1),
            /* reenter= */ false,
            Metadata.NONE);
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
    Alone cancelled = Alone.decide(machine, held, cancel, full());
    assertTrue(cancelled.events().get(0) instanceof LockEvent.Freed, cancelled::toString);
    assertEquals(Map.of(), cancelled.settled());
    LockCommand repeated = acquire("anna", "r-anna", OWN, false);
    assertFalse(Alone.decide(machine, held, repeated, full()).outcome() instanceof Outcome.Refused);
    LockState contended = new LockState(held.holders(), List.of(waiter("bert")));
    LockCommand expire = new LockCommand.Expire(new FencingToken(1));
    Alone expired = Alone.decide(machine, contended, expire, full());
    assertTrue(expired.events().get(0) instanceof LockEvent.HandedOver, "that is for another");
  }

  @Test
  void a_lease_with_all_its_keys_gets_no_other() {
    Refusal keys = new Refusal.LimitReached(Refusal.Limit.KEYS_ON_LEASE, 9);
    LockCommand acquire =
        new LockCommand.Acquire(
            new Request(new RequestId.Once(ClientId.NAMELESS, 1), 1),
            HolderId.of(ClientId.NAMELESS, "bert"),
            SHARED,
            new Patience(1),
            /* reenter= */ false,
            Metadata.NONE);
    assertEquals(keys, refused(LockState.FREE, acquire, full()));
    assertEquals(keys, refused(held("anna", OWN, 1), acquire, full()));
    LockState onIt = held("anna", SHARED, 1);
    Alone again = Alone.decide(new LockMachine(/* maxWaiters= */ 10), onIt, acquire, full());
    assertEquals(1, again.events().size(), "this key hangs on it already");
  }

  private static Refusal refused(LockState state, LockCommand command, Given given) {
    Alone decision = Alone.decide(new LockMachine(/* maxWaiters= */ 10), state, command, given);
    assertEquals(List.of(), decision.events());
    assertEquals(Map.of(), decision.settled());
    if (decision.outcome() instanceof Outcome.Refused refused) {
      return refused.refusal();
    }
    throw new AssertionError("not refused: " + decision);
  }

  @Test
  void a_full_state_refuses_what_asks_for_more_and_nothing_else() {
    Refusal full = new Refusal.LimitReached(Refusal.Limit.STATE, 40);
    LockState held = held("anna", OWN, 2);
    LockCommand queue =
        new LockCommand.Acquire(
            request("r-bert"),
            HolderId.of(ClientId.NAMELESS, "bert"),
            OWN,
            new Patience(1),
            /* reenter= */ false,
            Metadata.NONE);
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
          Alone.decide(machine, held, release, stateFull(reserve)).outcome()
              instanceof Outcome.Released);
      LockState line = new LockState(held.holders(), List.of(waiter("bert")));
      Alone handedOver = Alone.decide(machine, line, release, stateFull(reserve));
      assertTrue(handedOver.events().get(0) instanceof LockEvent.HandedOver, handedOver::toString);
      LockCommand cancel = new LockCommand.Cancel(request("r-bert").id());
      assertTrue(
          Alone.decide(machine, line, cancel, stateFull(reserve)).outcome()
              instanceof Outcome.Cancelled);
    }
  }

  @Test
  void what_is_kept_to_be_sure_uses_the_reserve_of_a_full_state() {
    Refusal full = new Refusal.LimitReached(Refusal.Limit.STATE, 40);
    LockCommand cancel = new LockCommand.Cancel(request("r-bert").id());
    Alone kept = Alone.decide(machine, LockState.FREE, cancel, stateFull(false));
    assertEquals(1, kept.settled().size());
    assertEquals(full, refused(LockState.FREE, cancel, stateFull(true)));
    LockCommand.Acquire copy =
        ((LockCommand.Acquire) acquire("bert", "r-bert", OWN, false)).after(250);
    Alone refused = Alone.decide(machine, LockState.FREE, copy, stateFull(false));
    assertEquals(new Outcome.Refused(full), refused.outcome());
    assertEquals(1, refused.settled().size(), "no later copy is granted");
    Alone unsure = Alone.decide(machine, LockState.FREE, copy, stateFull(true));
    assertEquals(new Outcome.Refused(full), unsure.outcome());
    assertTrue(unsure.kept() && unsure.events().isEmpty());
  }

  @Test
  void stepping_out_leaves_an_outcome_and_no_room_for_it() {
    Refusal full = new Refusal.LimitReached(Refusal.Limit.STATE, 40);
    LockState held = held("anna", OWN, 3);
    LockCommand out =
        new LockCommand.Release(request("r-3"), new FencingToken(1), /* all= */ false);
    assertEquals(1, Alone.decide(machine, held, out, stateFull(false)).settled().size());
    assertEquals(full, refused(held, out, stateFull(true)));
    LockCommand cancel = new LockCommand.Cancel(request("r-anna").id());
    assertEquals(1, Alone.decide(machine, held, cancel, stateFull(false)).settled().size());
    assertEquals(full, refused(held, cancel, stateFull(true)));
    RequestId once = new RequestId.Once(ClientId.NAMELESS, 7);
    Alone unkept =
        Alone.decide(
            machine,
            held,
            new LockCommand.Release(new Request(once, Content.ANY), new FencingToken(1), false),
            stateFull(true));
    assertEquals(Map.of(), unkept.settled());
    assertTrue(unkept.outcome() instanceof Outcome.Released, unkept::toString);
  }

  private static Given stateFull(boolean reserve) {
    return new Given(
        LockMachineTest::two,
        0,
        lease -> false,
        request -> Optional.empty(),
        request -> false,
        new Limits() {
          @Override
          public OptionalInt requestIds(RequestId another, int decidedNow) {
            return OptionalInt.empty();
          }

          @Override
          public OptionalInt keysOn(LeaseLife lease) {
            return OptionalInt.empty();
          }

          @Override
          public OptionalInt state() {
            return OptionalInt.of(40);
          }

          @Override
          public OptionalInt reserve() {
            return reserve ? OptionalInt.of(40) : OptionalInt.empty();
          }
        });
  }

  private static Given full() {
    return new Given(
        LockMachineTest::two,
        0,
        lease -> false,
        request -> Optional.empty(),
        request -> false,
        new Limits() {
          @Override
          public OptionalInt requestIds(RequestId another, int decidedNow) {
            return OptionalInt.of(7);
          }

          @Override
          public OptionalInt keysOn(LeaseLife lease) {
            return OptionalInt.of(9);
          }
        });
  }

  private static LockState held(String name, Life life, int count) {
    return new LockState(List.of(holder(name, life, count)), List.of());
  }

  private static Holder holder(String name, Life life, int count) {
    return new Holder(
        HolderId.of(ClientId.NAMELESS, name),
        request("r-" + name),
        new FencingToken(1),
        life,
        count,
        Metadata.NONE);
  }

  private static Waiter waiter(String name) {
    return new Waiter(
        HolderId.of(ClientId.NAMELESS, name),
        request("r-" + name),
        SHARED,
        new Patience(1_000),
        Metadata.NONE,
        /* since= */ 1);
  }

  private static LockCommand acquire(String name, String request, Life life, boolean reenter) {
    return new LockCommand.Acquire(
        request(request),
        HolderId.of(ClientId.NAMELESS, name),
        life,
        Patience.NONE,
        reenter,
        Metadata.NONE);
  }

  private static Request request(String name) {
    return new Request(new RequestId.Named(ClientId.NAMELESS, name), /* content= */ 1);
  }

  private static Optional<FencingToken> two() {
    return Optional.of(new FencingToken(2));
  }

  private static Given token(long token) {
    return Given.token(new FencingToken(token));
  }

  private static Given ended() {
    return new Given(new FencingToken(2), 0, LEASE::equals, request -> Optional.empty());
  }
}
