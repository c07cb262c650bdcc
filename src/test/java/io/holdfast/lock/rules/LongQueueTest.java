package io.holdfast.lock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientId;
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
import io.holdfast.lock.Waiter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that an event costs hardly more in a queue a hundred times as long, by ratios of allocated
 * bytes and of time within one run.
 */
class LongQueueTest {

  private static final int SHORT = 100;
  private static final int LONG = 10_000;
  private static final int EVENTS = 60;
  private static final int ROUNDS = 60;

  /**
   * The largest ratio. A copy of the queue would cost a hundred times as much, a logarithmic change
   * twice as much.
   */
  private static final double MOST = 12;

  private static final Lifetime LIFE = new Lifetime.Own(new Ttl(1_000));
  private static final com.sun.management.ThreadMXBean THREAD =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void a_request_that_enters_visits_no_other_waiters() {
    holds(
        state -> {
          LockState now = state;
          for (int i = 0; i < EVENTS; i++) {
            now = now.apply(new LockEvent.Queued(waiter(1_000_000 + i)));
          }
          return now;
        });
  }

  @Test
  void a_request_that_leaves_visits_no_other_waiters() {
    holds(
        state -> {
          LockState now = state;
          for (int i = 0; i < EVENTS; i++) {
            RequestId middle = now.waiters().get(now.waiters().size() / 2).request().id();
            now = now.apply(new LockEvent.Left(middle, LockCommand.LeaveCause.TIMED_OUT));
          }
          return now;
        });
  }

  @Test
  void a_hand_over_visits_no_other_waiters() {
    holds(
        state -> {
          LockState now = state;
          for (int i = 0; i < EVENTS; i++) {
            FencingToken token = now.holders().get(0).token();
            Holder next = now.waiters().get(0).granted(new FencingToken(token.value() + 1));
            now = now.apply(new LockEvent.HandedOver(token, GrantEnding.RELEASED, next));
          }
          return now;
        });
  }

  @Test
  void a_decision_visits_no_waiters() {
    LockMachine machine = new LockMachine(/* maxWaiters= */ 2 * LONG);
    holds(
        state -> {
          LockState now = state;
          for (int i = 0; i < EVENTS; i++) {
            Waiter waiter = waiter(1_000_000 + i);
            now = decided(machine, now, acquire(waiter));
            now = decided(machine, now, new LockCommand.Cancel(waiter.request().id()));
          }
          return now;
        });
  }

  @Test
  void a_queue_of_short_or_long_names_stays_within_its_size() {
    int ofLong = full("x".repeat(HolderId.MAX_BYTES - 6), Metadata.NONE).size();
    assertTrue(ofLong >= 3_600, () -> ofLong + " with the longest names");
    int ofShort = full("x", Metadata.NONE).size();
    assertTrue(ofShort == LONG, () -> ofShort + " with short names");
    WaiterQueue shown = full("x", Metadata.of(new byte[1_000]));
    assertTrue(shown.metadataBytes() <= LockMachine.MAX_QUEUE_METADATA, shown::toString);
    assertTrue(shown.size() == LockMachine.MAX_QUEUE_METADATA / 1_000, shown::toString);
  }

  /** Returns a queue that is full by its size. */
  private static WaiterQueue full(String name, Metadata metadata) {
    LockMachine machine = new LockMachine(LONG);
    LockState state = queue(0);
    for (int i = 100_000; ; i++) {
      ClientId client = new ClientId(name + i);
      Waiter waiter =
          new Waiter(
              HolderId.of(client, name + i),
              new RequestHeader(new RequestId.Named(client, name + i), i),
              LIFE,
              new WaitTimeout(1_000),
              metadata,
              /* since= */ 1);
      SingleDecision decision =
          SingleDecision.decide(machine, state, acquire(waiter), DecisionContext.token(null));
      if (decision.outcome() instanceof Outcome.Refused refused) {
        int length = state.waiters().size();
        assertEquals(new Refusal.QueueFull(length), refused.refusal());
        assertTrue(state.waiters().bytes() <= LockMachine.MAX_QUEUE_BYTES);
        assertTrue(
            length == LONG
                || !metadata.isEmpty()
                || state.waiters().bytes() + waiter.bytes() > LockMachine.MAX_QUEUE_BYTES);
        return state.waiters();
      }
      state = state.apply(decision.events().get(0));
    }
  }

  private static LockState decided(LockMachine machine, LockState state, LockCommand command) {
    LockState now = state;
    for (LockEvent event :
        SingleDecision.decide(machine, state, command, DecisionContext.token(null)).events()) {
      now = now.apply(event);
    }
    return now;
  }

  private static LockCommand acquire(Waiter waiter) {
    return new LockCommand.Acquire(
        waiter.request(),
        waiter.id(),
        waiter.life(),
        waiter.waitTimeout(),
        /* reenter= */ false,
        waiter.metadata(),
        /* repeated= */ false);
  }

  private static void holds(UnaryOperator<LockState> events) {
    LockState few = queue(SHORT);
    LockState many = queue(LONG);
    List<long[]> ofFew = new ArrayList<>();
    List<long[]> ofMany = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) { // in turns, so that a slow moment affects both
      ofFew.add(cost(events, few));
      ofMany.add(cost(events, many));
    }
    String[] what = {"bytes", "nanoseconds"};
    for (int i = 0; i < 2; i++) {
      double ratio = (double) least(ofMany, i) / least(ofFew, i);
      String which = what[i];
      assertTrue(ratio < MOST, () -> ratio + " times the " + which);
    }
  }

  private static long least(List<long[]> costs, int which) {
    return costs.stream().mapToLong(cost -> cost[which]).min().orElseThrow();
  }

  private static long[] cost(UnaryOperator<LockState> events, LockState state) {
    long id = Thread.currentThread().getId();
    long bytes = THREAD.getThreadAllocatedBytes(id);
    long nanos = THREAD.getCurrentThreadCpuTime();
    LockState after = events.apply(state);
    long[] cost = {
      THREAD.getThreadAllocatedBytes(id) - bytes, THREAD.getCurrentThreadCpuTime() - nanos
    };
    assertTrue(!after.isFree());
    return cost;
  }

  private static LockState queue(int length) {
    return new LockState(
        List.of(waiter(-1).granted(new FencingToken(1))),
        IntStream.range(0, length).mapToObj(LongQueueTest::waiter).toList());
  }

  /** Returns waiters, each of a client of its own, in no order. */
  private static Waiter waiter(int number) {
    ClientId client = new ClientId("client-" + Integer.reverse(number));
    return new Waiter(
        HolderId.of(client, "holder"),
        new RequestHeader(new RequestId.Named(client, "request"), number),
        LIFE,
        new WaitTimeout(1_000),
        Metadata.NONE,
        /* since= */ 1);
  }
}
