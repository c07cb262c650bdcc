package holdfast.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.fixtures.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Plays random commands against a model so simple that it can be seen to be right: who holds, under
 * which number, and the names in line.
 */
class LockModelTest {

  private static final int MAX_WAITERS = 3;

  @Test
  void the_machine_agrees_with_the_model() {
    Seeds.each(2_000, random -> new Run(random).run(/* steps= */ 60));
  }

  /** One run: the machine and the model, side by side. */
  private static final class Run {

    private final SplittableRandom random;
    private final LockMachine machine = new LockMachine(MAX_WAITERS);
    private LockState state = LockState.FREE;

    // The model.
    private @Nullable String holder;
    private long held;
    private long newest;
    private final List<String> line = new ArrayList<>();

    Run(SplittableRandom random) {
      this.random = random;
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        step();
        assertEquals(holder, state.holder().map(h -> h.request().value()).orElse(null));
        assertEquals(line, state.waiters().stream().map(w -> w.request().value()).toList());
        state.holder().ifPresent(h -> assertEquals(held, h.token().value()));
      }
    }

    private void step() {
      String name = "client-" + random.nextInt(6);
      switch (random.nextInt(4)) {
        case 0 -> acquire(name, /* waits= */ random.nextBoolean());
        case 1 -> end(random.nextInt(3) > 0 ? held : random.nextLong(1, newest + 2), true);
        case 2 -> end(random.nextInt(3) > 0 ? held : random.nextLong(1, newest + 2), false);
        default -> leave(name);
      }
    }

    private void acquire(String name, boolean waits) {
      Decision decision =
          decide(
              new LockCommand.Acquire(
                  request(name),
                  new HolderId(ClientId.NAMELESS, name),
                  new Ttl(1_000),
                  waits ? new Patience(1_000) : Patience.NONE));
      if (holder == null) {
        grant(name);
        assertTrue(decision.outcome() instanceof Outcome.Acquired);
      } else if (holder.equals(name)) {
        assertTrue(
            decision.outcome() instanceof Outcome.Acquired a
                && a.manner() == Outcome.Manner.REPEATED);
      } else if (line.contains(name)) {
        assertEquals(
            new Outcome.Waiting(request(name), line.indexOf(name) + 1), decision.outcome());
      } else if (waits && line.size() < MAX_WAITERS) {
        line.add(name);
        assertEquals(new Outcome.Waiting(request(name), line.size()), decision.outcome());
      } else {
        assertTrue(decision.outcome() instanceof Outcome.Refused);
        assertTrue(decision.events().isEmpty());
      }
    }

    private void end(long token, boolean released) {
      if (token == 0) {
        return; // nothing was ever held
      }
      FencingToken ended = new FencingToken(token);
      Decision decision =
          decide(released ? new LockCommand.Release(ended) : new LockCommand.Expire(ended));
      if (holder == null || token != held) {
        assertEquals(new Outcome.Refused(new Refusal.NotHolder(ended)), decision.outcome());
        return;
      }
      assertEquals(new Outcome.Released(ended), decision.outcome());
      holder = null;
      if (!line.isEmpty()) {
        String next = line.remove(0);
        grant(next);
        assertEquals(next, decision.notices().get(0).request().value());
      }
    }

    private void leave(String name) {
      Decision decision =
          decide(new LockCommand.Leave(request(name), LockCommand.LeaveCause.CANCELLED));
      assertEquals(line.remove(name), decision.outcome() instanceof Outcome.Withdrawn);
    }

    private void grant(String name) {
      holder = name;
      newest++;
      held = newest;
    }

    private Decision decide(LockCommand command) {
      Decision decision = machine.decide(state, command, new FencingToken(newest + 1));
      assertTrue(decision.events().size() <= 1, "a decision is one event");
      Decision without = machine.decide(state, command, null);
      if (LockMachine.grants(state, command)) {
        assertEquals(new Outcome.Refused(new Refusal.NoToken()), without.outcome());
        assertTrue(without.events().isEmpty());
      } else {
        assertEquals(decision, without, "a token that was not needed made a difference");
      }
      decision.events().forEach(event -> state = state.apply(event));
      return decision;
    }

    private static RequestId request(String name) {
      return new RequestId(ClientId.NAMELESS, name);
    }
  }
}
