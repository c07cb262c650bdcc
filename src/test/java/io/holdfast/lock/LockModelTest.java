package io.holdfast.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.fixtures.Seeds;
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
 * Plays random commands against {@link NaiveLock}. Leases end under way, requests come again with
 * and without their own content, tokens run out, and now and then all outcomes are forgotten.
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
    private final Map<RequestId, Settled> settled = new HashMap<>();
    private final long[] incarnations = {1, 1};
    private LockState state = LockState.FREE;
    private NaiveLock model = new NaiveLock();
    private int step;

    /** The last commands, from which on nothing but they changed anything. */
    private final List<LockCommand> together = new ArrayList<>();

    private final List<LockEvent> events = new ArrayList<>();
    private final List<RequestId> told = new ArrayList<>();
    private Map<RequestId, Settled> settledBefore = Map.of();
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
          settled.clear();
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
            case 1 -> play(new LockCommand.Sweep(), NaiveLock::sweep);
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
      Life life =
          random.nextInt(3) == 0
              ? new Life.Own(new Ttl(1_000))
              : new Life.Shared(lease, new Ttl(2_000));
      HolderId who = new HolderId(CLIENT, life.lease().map(LeaseLife::id).orElse(0L), name);
      boolean waits = random.nextInt(3) > 0;
      boolean reenter = random.nextBoolean();
      boolean repeated = random.nextInt(3) == 0;
      // Most requests are repeated as they were: their name says what they ask for.
      boolean known = random.nextInt(8) > 0;
      String what = known ? "lock by " + request : "lock " + who + life + reenter;
      play(
          new LockCommand.Acquire(
              new Request(request, content(what)),
              who,
              life,
              waits ? new Patience(1_000) : Patience.NONE,
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
              new Request(request, content(what)), new FencingToken(token), all),
          lock -> lock.release(request, what, token, all));
    }

    private void force() {
      RequestId request = request();
      long only = random.nextBoolean() ? 0 : token();
      String what = "force " + only;
      play(
          new LockCommand.Force(
              new Request(request, content(what)),
              only == 0 ? null : new FencingToken(only),
              "reason"),
          lock -> lock.force(request, what, only));
    }

    private void endLease(int which) {
      LeaseLife ends = new LeaseLife(which + 1, incarnations[which]++);
      model.endLease(ends);
      together.clear();
      settled.keySet().removeIf(id -> id.keptBy().filter(ends::equals).isPresent());
    }

    private void play(LockCommand command, Function<NaiveLock, String> inModel) {
      NaiveLock before = model.copy();
      if (together.isEmpty() || together.size() == 6 || hadTokens != model.hasTokens) {
        together.clear();
        events.clear();
        told.clear();
        settledBefore = Map.copyOf(settled);
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
      Alone decision = Alone.decide(machine, state, command, given(next));
      String what = "step " + step + ", " + command + " in " + state;
      assertEquals(expected, decision.outcome().match(new InWords()), what);
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
          .settled()
          .forEach(
              (request, outcome) -> assertNull(settled.put(request, outcome), "settled twice"));
      together.add(command);
      events.addAll(decision.events());
      decision.notices().forEach(notice -> told.add(notice.request()));
      agreesTogether(decision.batch().decisions().get(0));
    }

    /** Commands that come together are decided as if they came one after the other. */
    private void agreesTogether(Decision last) {
      AtomicLong tokens = new AtomicLong(newest);
      Batch batch =
          machine.decide(
              first,
              together,
              new Given(
                  () ->
                      hadTokens
                          ? Optional.of(new FencingToken(tokens.incrementAndGet()))
                          : Optional.empty(),
                  /* revision= */ 0,
                  model.ended::contains,
                  request -> Optional.ofNullable(settledBefore.get(request)),
                  request -> false,
                  Limits.NONE));
      String what = "step " + step + ", " + together + " in " + first;
      assertEquals(events, batch.events(), what);
      assertEquals(state, batch.after(), what);
      assertEquals(told, batch.notices().stream().map(Batch.Notice::request).toList(), what);
      Map<RequestId, Settled> all = new HashMap<>(settledBefore);
      all.putAll(batch.settled());
      assertEquals(settled, all, what);
      Decision decision = batch.decisions().get(together.size() - 1);
      assertEquals(
          new Decision(last.outcome(), last.kept(), last.isSign(), events.size()), decision, what);
    }

    /** A decision that may be made without a token is the same with one. */
    private void needsNoToken(LockCommand command, Alone decision, String what) {
      Alone without = Alone.decide(machine, state, command, given(null));
      boolean refused = without.outcome().equals(new Outcome.Refused(new Refusal.NoToken()));
      if (refused) {
        assertEquals(List.of(), without.events(), what);
        assertEquals(Map.of(), without.settled(), what);
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
          model.line.stream().map(NaiveLock.Somebody::request).toList(),
          state.waiters().stream().map(waiter -> waiter.request().id()).toList());
      assertEquals(model.memory.keySet(), new HashSet<>(settled.keySet()));
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

    private Given given(@Nullable FencingToken token) {
      return new Given(
          token,
          /* revision= */ 0,
          model.ended::contains,
          request -> Optional.ofNullable(settled.get(request)));
    }

    private RequestId request() {
      return switch (random.nextInt(6)) {
        case 0 -> new RequestId.Once(CLIENT, random.nextInt(1, 4));
        case 1 -> new RequestId.Numbered(CLIENT, lease(1), random.nextInt(1, 4));
        default -> new RequestId.Named(CLIENT, "r-" + random.nextInt(8));
      };
    }

    /** A life of a lease, most often the present one. */
    private LeaseLife lease(int which) {
      long now = incarnations[which];
      return new LeaseLife(which + 1, random.nextInt(5) == 0 ? Math.max(1, now - 1) : now);
    }

    private long token() {
      return model.newest > 0 && random.nextInt(3) > 0
          ? Math.max(1, model.token)
          : random.nextLong(1, model.newest + 2);
    }

    private static long content(String what) {
      return new Content().and(what).value();
    }
  }

  /** An outcome in the model's words. */
  private static final class InWords implements Outcome.Cases<String> {

    @Override
    public String acquired(Outcome.Acquired acquired) {
      return "acquired %s x%d %s".formatted(acquired.token(), acquired.count(), acquired.manner());
    }

    @Override
    public String waiting(Outcome.Waiting waiting) {
      return "waiting " + waiting.position();
    }

    @Override
    public String released(Outcome.Released released) {
      return "released %s %d%s"
          .formatted(released.token(), released.count(), released.repeated() ? " again" : "");
    }

    @Override
    public String withdrawn(Outcome.Withdrawn withdrawn) {
      return "withdrawn";
    }

    @Override
    public String cancelled(Outcome.Cancelled cancelled) {
      FencingToken released = cancelled.released();
      return "cancelled"
          + (cancelled.dropped() ? ", dropped" : "")
          + (released == null ? "" : ", released " + released);
    }

    @Override
    public String forced(Outcome.Forced forced) {
      return "forced " + forced.tokens() + (forced.repeated() ? " again" : "");
    }

    @Override
    public String swept(Outcome.Swept swept) {
      return "swept";
    }

    @Override
    public String refused(Outcome.Refused refused) {
      return refused.refusal().match(new RefusedInWords());
    }
  }

  private static final class RefusedInWords implements Refusal.Cases<String> {

    @Override
    public String held(Refusal.Held held) {
      return "held " + held.holder().token();
    }

    @Override
    public String queueFull(Refusal.QueueFull full) {
      return "full";
    }

    @Override
    public String limitReached(Refusal.LimitReached limit) {
      return "limit";
    }

    @Override
    public String countFull(Refusal.CountFull full) {
      return "count full";
    }

    @Override
    public String notHolder(Refusal.NotHolder not) {
      return "not held " + not.token();
    }

    @Override
    public String notWaiting(Refusal.NotWaiting not) {
      return "not waiting";
    }

    @Override
    public String requestReused(Refusal.RequestReused reused) {
      return "reused";
    }

    @Override
    public String requestForgotten(Refusal.RequestForgotten forgotten) {
      return "forgotten";
    }

    @Override
    public String leaseGone(Refusal.LeaseGone gone) {
      return "gone";
    }

    @Override
    public String leftLine(Refusal.LeftLine left) {
      return "left " + left.cause();
    }

    @Override
    public String noToken(Refusal.NoToken noToken) {
      return "no token";
    }
  }
}
