package io.holdfast.lock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.fixtures.Seeds;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.Decision;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Plays random commands against {@link NaiveLock}. Leases end, requests are repeated with the same
 * and with other content, tokens run out, and now and then all recorded outcomes are dropped.
 */
class LockModelTest {

  @Test
  void the_machine_agrees_with_the_model() {
    Seeds.each(2_000, random -> new Run(random).run(/* steps= */ 80));
  }

  /** One run: the machine and the model, side by side. */
  private static final class Run {

    private static final ClientId CLIENT = ClientId.NAMELESS;

    private final SplittableRandom random;
    private final LockMachine machine = new LockMachine(NaiveLock.MAX_WAITERS);
    private final Map<RequestId, RecordedOutcome> recorded = new HashMap<>();
    private final long[] incarnations = {1, 1};
    private LockState state = LockState.FREE;
    private NaiveLock model = new NaiveLock();
    private int step;

    /** The last commands, and the state before them. */
    private final List<LockCommand> together = new ArrayList<>();

    private final List<LockEvent> events = new ArrayList<>();
    private final List<RequestId> told = new ArrayList<>();
    private Map<RequestId, RecordedOutcome> recordedBefore = Map.of();
    private LockState first = LockState.FREE;
    private long newest;
    private boolean hadTokens;

    Run(SplittableRandom random) {
      this.random = random;
    }

    void run(int steps) {
      for (step = 0; step < steps; step++) {
        int kind = random.nextInt(40);
        if (kind == 0) {
          model.memory.clear();
          recorded.clear();
          together.clear();
        } else if (kind < 4) {
          endLease(random.nextInt(2));
        } else {
          model.hasTokens = random.nextInt(8) > 0;
          command(kind);
        }
        agree();
      }
    }

    private void command(int kind) {
      switch (kind % 9) {
        case 0, 1, 2 -> acquire();
        case 3, 4 -> release();
        case 5 -> {
          long token = token();
          play(new LockCommand.Expire(new FencingToken(token)), lock -> lock.expire(token));
        }
        case 6 -> {
          RequestId request = request();
          LockCommand.LeaveCause cause =
              random.nextBoolean()
                  ? LockCommand.LeaveCause.TIMED_OUT
                  : LockCommand.LeaveCause.LEASE_ENDED;
          play(new LockCommand.Leave(request, cause), lock -> lock.leave(request, cause));
        }
        case 7 -> {
          RequestId request = request();
          play(new LockCommand.Cancel(request), lock -> lock.cancel(request));
        }
        default -> {
          switch (random.nextInt(3)) {
            case 0 -> force();
            case 1 -> play(new LockCommand.RemoveOrphans(), NaiveLock::removeOrphans);
            default -> age();
          }
        }
      }
    }

    private void age() {
      long token = token();
      long ms = random.nextInt(3) * 500L;
      play(
          new LockCommand.Age(new FencingToken(token), Duration.ofMillis(ms)),
          lock -> lock.age(token, ms));
    }

    private void acquire() {
      RequestId request = request();
      String name = "holder-" + random.nextInt(4);
      LeaseLife lease = lease(random.nextInt(2));
      Lifetime life =
          random.nextInt(3) == 0
              ? new Lifetime.Own(new Ttl(1_000))
              : new Lifetime.Shared(lease, new Ttl(2_000));
      HolderId who = new HolderId(CLIENT, life.lease().map(LeaseLife::id).orElse(null), name);
      boolean waits = random.nextInt(3) > 0;
      boolean reenter = random.nextBoolean();
      boolean repeated = random.nextInt(3) == 0;
      // Most requests are repeated unchanged: their name has their content.
      boolean known = random.nextInt(8) > 0;
      String what = known ? "lock by " + request : "lock " + who + life + reenter;
      play(
          new LockCommand.Acquire(
              new RequestHeader(request, content(what)),
              who,
              life,
              waits ? new WaitTimeout(1_000) : WaitTimeout.NONE,
              reenter,
              Metadata.NONE,
              repeated),
          lock ->
              lock.acquire(
                  new NaiveLock.Somebody(request, what, who, life), waits, reenter, repeated));
    }

    private void release() {
      RequestId request = request();
      long token = token();
      boolean all = random.nextInt(4) == 0;
      String what = "release " + token + all;
      play(
          new LockCommand.Release(
              new RequestHeader(request, content(what)), new FencingToken(token), all),
          lock -> lock.release(request, what, token, all));
    }

    private void force() {
      RequestId request = request();
      long only = random.nextBoolean() ? 0 : token();
      String what = "force " + only;
      play(
          new LockCommand.Force(
              new RequestHeader(request, content(what)),
              only == 0 ? null : new FencingToken(only),
              "reason"),
          lock -> lock.force(request, what, only));
    }

    private void endLease(int which) {
      LeaseLife ends = LeaseLife.of(new LeaseId(which + 1), new Revision(incarnations[which]++));
      model.endLease(ends);
      together.clear();
      recorded.keySet().removeIf(id -> id.keptBy().filter(ends::equals).isPresent());
    }

    private void play(LockCommand command, Function<NaiveLock, String> inModel) {
      NaiveLock before = model.copy();
      if (together.isEmpty() || together.size() == 6 || hadTokens != model.hasTokens) {
        together.clear();
        events.clear();
        told.clear();
        recordedBefore = Map.copyOf(recorded);
        first = state;
        newest = before.newest;
        hadTokens = model.hasTokens;
      }
      String expected;
      model.told.clear();
      try {
        expected = inModel.apply(model);
      } catch (NaiveLock.OutOfTokens e) {
        before.hasTokens = false;
        model = before;
        expected = "no token";
      }
      FencingToken next = model.hasTokens ? new FencingToken(before.newest + 1) : null;
      SingleDecision decision = SingleDecision.decide(machine, state, command, given(next));
      String what = "step " + step + ", " + command + " in " + state;
      assertEquals(expected, decision.outcome().match(new OutcomeWords()), what);
      assertEquals(
          model.told.stream().map(RequestId::toString).sorted().toList(),
          decision.notices().stream().map(n -> n.request().toString()).sorted().toList(),
          what);
      needsNoToken(command, decision, what);
      for (LockEvent event : decision.events()) {
        assertFalse(startsDead(event), what);
        state = state.apply(event);
      }
      assertEquals(state, decision.batch().after(), what);
      decision
          .recorded()
          .forEach(
              (request, outcome) ->
                  assertNull(recorded.put(request, outcome), "two outcomes are recorded"));
      together.add(command);
      events.addAll(decision.events());
      decision.notices().forEach(notice -> told.add(notice.request()));
      agreesTogether(decision.batch().decisions().get(0));
    }

    /** Checks that a batch is decided like the same commands one after the other. */
    private void agreesTogether(Decision last) {
      AtomicLong tokens = new AtomicLong(newest);
      Batch batch =
          machine.decide(
              first,
              together,
              new DecisionContext(
                  () ->
                      hadTokens
                          ? Optional.of(new FencingToken(tokens.incrementAndGet()))
                          : Optional.empty(),
                  /* revision= */ new Revision(0),
                  model.ended::contains,
                  request -> Optional.ofNullable(recordedBefore.get(request)),
                  request -> false,
                  Limits.NONE));
      String what = "step " + step + ", " + together + " in " + first;
      assertEquals(events, batch.events(), what);
      assertEquals(state, batch.after(), what);
      assertEquals(told, batch.notices().stream().map(Batch.Notice::request).toList(), what);
      Map<RequestId, RecordedOutcome> all = new HashMap<>(recordedBefore);
      all.putAll(batch.recorded());
      assertEquals(recorded, all, what);
      Decision decision = batch.decisions().get(together.size() - 1);
      assertEquals(
          new Decision(last.outcome(), last.kept(), last.isKeepalive(), events.size()),
          decision,
          what);
    }

    /** Checks that a decision that needs no token is the same with one. */
    private void needsNoToken(LockCommand command, SingleDecision decision, String what) {
      SingleDecision without = SingleDecision.decide(machine, state, command, given(null));
      boolean refused = without.outcome().equals(new Outcome.Refused(new Refusal.NoToken()));
      if (refused) {
        assertEquals(List.of(), without.events(), what);
        assertEquals(Map.of(), without.recorded(), what);
        assertEquals(List.of(), without.notices(), what);
      } else {
        assertEquals(without, decision, "a token that was not needed made a difference: " + what);
      }
    }

    private void agree() {
      NaiveLock.@Nullable Somebody holder = model.holder;
      Holder held = state.holder().orElse(null);
      assertEquals(holder == null ? null : holder.request(), held == null ? null : id(held));
      if (held != null) {
        assertEquals(model.token, held.token().value());
        assertEquals(model.count, held.count());
        assertEquals(model.agedMs, held.aged().toMillis());
      }
      assertEquals(
          model.queue.stream().map(NaiveLock.Somebody::request).toList(),
          state.waiters().stream().map(waiter -> waiter.request().id()).toList());
      assertEquals(model.memory.keySet(), new HashSet<>(recorded.keySet()));
    }

    private static RequestId id(Holder holder) {
      return holder.request().id();
    }

    private boolean startsDead(LockEvent event) {
      return (event instanceof LockEvent.HandedOver over && isDead(over.next()))
          || (event instanceof LockEvent.Granted granted && isDead(granted.holder()));
    }

    private boolean isDead(Holder holder) {
      return holder.life().lease().filter(model.ended::contains).isPresent();
    }

    private DecisionContext given(@Nullable FencingToken token) {
      return new DecisionContext(
          token,
          /* revision= */ new Revision(0),
          model.ended::contains,
          request -> Optional.ofNullable(recorded.get(request)));
    }

    private RequestId request() {
      return switch (random.nextInt(6)) {
        case 0 -> new RequestId.Once(CLIENT, random.nextInt(1, 4));
        case 1 -> new RequestId.Numbered(CLIENT, lease(1), random.nextInt(1, 4));
        default -> new RequestId.Named(CLIENT, "r-" + random.nextInt(8));
      };
    }

    /** Returns an incarnation of a lease, mostly the current one. */
    private LeaseLife lease(int which) {
      long now = incarnations[which];
      return LeaseLife.of(
          new LeaseId(which + 1),
          new Revision(random.nextInt(5) == 0 ? Math.max(1, now - 1) : now));
    }

    private long token() {
      return model.newest > 0 && random.nextInt(3) > 0
          ? Math.max(1, model.token)
          : random.nextLong(1, model.newest + 2);
    }

    private static long content(String what) {
      return new ContentHash().and(what).value();
    }
  }
}
