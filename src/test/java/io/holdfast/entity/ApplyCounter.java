package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.release;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.ShardMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often a lock's actor applies its events. It needs a version of {@link LockState} with
 * a counter, which is compiled for it.
 */
public final class ApplyCounter {

  private static final String COUNTER = "APPLIED";
  private static final int WAITERS = 5;

  private ApplyCounter() {}

  /**
   * Returns an error if the number of applications is wrong; null if each event was applied once.
   */
  public static @Nullable String failure(long seed) throws ReflectiveOperationException {
    AtomicInteger applied = (AtomicInteger) LockState.class.getField(COUNTER).get(null);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ApplyCounter.class.getClassLoader()); // for Akka's plugins
    EntityWorld world = new EntityWorld();
    try {
      int events = play(world);
      return applied.get() == events
          ? null
          : "%d events of seed %d were applied %d times".formatted(events, seed, applied.get());
    } finally {
      world.close();
      thread.setContextClassLoader(before);
    }
  }

  /** Plays grants, a batch of waiters, and hand-overs. Returns the number of events. */
  private static int play(EntityWorld world) {
    ActorRef<ShardMessage> lock = world.lock(EntityWorld.key());
    world.store.hold();
    TestProbe<LockAnswer> anna = world.tell(lock, acquire("anna", 10_000, 0));
    List<TestProbe<LockAnswer>> queue = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      queue.add(world.tell(lock, acquire("waiter-" + i, 10_000, 60_000)));
    }
    world.store.letGo();
    FencingToken token = acquired(anna);
    for (TestProbe<LockAnswer> waiter : queue) {
      world.tell(lock, release("of " + token, token)).receiveMessage();
      token = acquired(waiter);
    }
    world.tell(lock, release("last", token)).receiveMessage();
    world.stop(lock);
    return 1 + WAITERS + WAITERS + 1 + 1; // granted, queued, handed over, freed, forgotten
  }
}
