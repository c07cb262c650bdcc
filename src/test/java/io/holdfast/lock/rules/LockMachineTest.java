package io.holdfast.lock.rules;

import static io.holdfast.lock.rules.LockFixture.LEASE;
import static io.holdfast.lock.rules.LockFixture.OWN;
import static io.holdfast.lock.rules.LockFixture.SHARED;
import static io.holdfast.lock.rules.LockFixture.acquire;
import static io.holdfast.lock.rules.LockFixture.held;
import static io.holdfast.lock.rules.LockFixture.holder;
import static io.holdfast.lock.rules.LockFixture.request;
import static io.holdfast.lock.rules.LockFixture.waiter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Tests the rules that a scenario cannot show in few words. */
class LockMachineTest {

  private final LockMachine machine = new LockMachine(/* maxWaiters= */ 1_000);

  @Test
  void a_holder_enters_up_to_65_535_times() {
    LockState nearly = held("anna", OWN, Holder.MAX_COUNT - 1);
    SingleDecision last =
        SingleDecision.decide(machine, nearly, acquire("anna", "again", OWN, true), token(2));
    assertEquals(
        new Outcome.Acquired(new FencingToken(1), OWN, 65_535, Outcome.Manner.AT_ONCE),
        last.outcome());
    LockState full = held("anna", OWN, Holder.MAX_COUNT);
    SingleDecision more =
        SingleDecision.decide(machine, full, acquire("anna", "again", OWN, true), token(2));
    assertEquals(new Outcome.Refused(new Refusal.CountFull(65_535)), more.outcome());
    assertTrue(more.events().isEmpty());
  }

  @Test
  void a_repeated_answer_changes_nothing_beside_ended_leases() {
    LockState contended = new LockState(List.of(holder("anna", OWN, 1)), List.of(waiter("bert")));
    SingleDecision again =
        SingleDecision.decide(machine, contended, acquire("anna", "r-anna", OWN, false), ended());
    assertEquals(1, again.events().size());
    assertTrue(again.events().get(0) instanceof LockEvent.Left, again::toString);
  }

  @Test
  void only_a_grant_takes_a_token() {
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
    SingleDecision.decide(
        machine,
        state,
        command,
        new DecisionContext(
            () -> Optional.of(new FencingToken(1 + taken.incrementAndGet())),
            new Revision(0),
            hasEnded,
            request -> Optional.empty(),
            request -> false,
            Limits.NONE));
    return taken.get();
  }

  @Test
  void a_forgotten_request_is_not_executed_again() {
    LockCommand acquire = acquire("bert", "r-bert", OWN, false);
    SingleDecision decision =
        SingleDecision.decide(machine, LockState.FREE, acquire, forgotten("r-bert"));
    assertEquals(
        new Outcome.Refused(new Refusal.RequestForgotten(request("r-bert").id())),
        decision.outcome());
    assertTrue(decision.events().isEmpty());
  }

  @Test
  void a_request_forgotten_while_it_waits_is_still_granted() {
    LockState contended = new LockState(List.of(holder("anna", OWN, 1)), List.of(waiter("bert")));
    LockCommand release =
        new LockCommand.Release(request("release"), new FencingToken(1), /* all= */ true);
    SingleDecision decision =
        SingleDecision.decide(machine, contended, release, forgotten("r-bert"));
    assertTrue(decision.events().get(0) instanceof LockEvent.HandedOver);
    assertEquals(List.of(request("release").id()), List.copyOf(decision.recorded().keySet()));
    assertTrue(decision.notices().get(0).kept(), "no copy of it can be granted again");
  }

  @Test
  void a_copy_of_a_forgotten_request_that_holds_has_an_outcome() {
    LockState held = held("bert", OWN, 1);
    LockCommand.Acquire copy =
        ((LockCommand.Acquire) acquire("bert", "r-bert", OWN, false)).after(250);
    SingleDecision decision = SingleDecision.decide(machine, held, copy, forgotten("r-bert"));
    assertTrue(decision.outcome() instanceof Outcome.Acquired, decision.toString());
    assertTrue(decision.kept(), "else it would be resent for ever");
  }

  private static DecisionContext forgotten(String request) {
    return new DecisionContext(
        LockFixture::two,
        new Revision(0),
        lease -> false,
        id -> Optional.empty(),
        request(request).id()::equals,
        Limits.NONE);
  }

  private static DecisionContext token(long token) {
    return DecisionContext.token(new FencingToken(token));
  }

  private static DecisionContext ended() {
    return new DecisionContext(
        new FencingToken(2), new Revision(0), LEASE::equals, request -> Optional.empty());
  }
}
