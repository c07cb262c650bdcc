package io.holdfast.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.session.SessionWorld.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random lives of clients against a naive lock service, in virtual time, from a seed. */
final class SessionModelTest {

  private static final long MILLI = SessionWorld.MILLI;
  private static final int ATTEMPTS = 120;

  static LongStream seeds() {
    Long replayed = Long.getLong("seed");
    boolean isLarge = "large".equals(System.getProperty("bounds"));
    return replayed != null
        ? LongStream.of(replayed)
        : LongStream.rangeClosed(1, isLarge ? 5_000 : 60);
  }

  private record Belief(Client client, HeldGrant grant) {}

  private static final class Asked {
    final String key;
    int ends;
    boolean isGranted;
    boolean isCancelled;

    Asked(String key) {
      this.key = key;
    }

    @Override
    public String toString() {
      return key + " ends=" + ends + " granted=" + isGranted + " cancelled=" + isCancelled;
    }
  }

  private final Map<Long, Belief> beliefs = new TreeMap<>();
  private final List<Asked> asked = new ArrayList<>();
  private int failures;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_client_stops_first_and_every_attempt_ends(long seed) {
    SessionWorld world = new SessionWorld(seed, this::nobody_believes_to_hold_it);
    for (int i = 0; i < 3; i++) {
      world.client("c" + i, 1_000 + world.random.nextLong(9_000));
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      world.at(world.random.nextLong(60_000 * MILLI), () -> attempt(world));
    }
    for (int i = 0; i < 20; i++) {
      world.at(world.random.nextLong(60_000 * MILLI), world::trouble);
    }
    boolean isOutage = world.random.nextInt(3) == 0;
    if (isOutage) {
      world.at(world.random.nextLong(60_000 * MILLI), world::outage);
    }
    world.run(140_000 * MILLI);
    assertEquals(ATTEMPTS, asked.size());
    for (Asked each : asked) {
      assertTrue(each.ends == 1 || (each.isCancelled && each.ends == 0), each::toString);
    }
    assertTrue(world.nodes.locks.isEmpty(), "I7 NoOrphan: something is held or waits");
    int bearable = isOutage ? ATTEMPTS / 2 : ATTEMPTS / 4;
    assertTrue(failures < bearable, () -> failures + " of " + ATTEMPTS + " attempts failed");
    for (Client client : world.clients) {
      client.act(() -> client.core.close(client.clock()));
    }
    world.run(150_000 * MILLI);
    world.clients.forEach(client -> assertTrue(client.core.isClosed(), client.name));
  }

  private void attempt(SessionWorld world) {
    Client client = world.clients.get(world.random.nextInt(world.clients.size()));
    String key = "k" + world.random.nextInt(4);
    long ownTtl = world.random.nextInt(4) == 0 ? 500 + world.random.nextLong(3_000) : 0;
    long patience =
        switch (world.random.nextInt(3)) {
          case 0 -> 0;
          case 1 -> -1;
          default -> world.random.nextLong(20_000 * MILLI);
        };
    long holdFor = world.random.nextLong(2_000 * MILLI);
    Asked attempt = new Asked(key);
    asked.add(attempt);
    LockAttempt[] made = new LockAttempt[1];
    client.act(
        () ->
            made[0] =
                client.core.acquire(
                    new LockAttempt.Terms(key, "h" + asked.size(), ownTtl, patience),
                    new LockAttempt.Listener() {
                      @Override
                      public void granted(HeldGrant grant) {
                        attempt.ends++;
                        assertFalse(attempt.isCancelled, "granted after it was given up");
                        attempt.isGranted = true;
                        beliefs.put(grant.fencingToken(), new Belief(client, grant));
                        world.at(holdFor, () -> client.act(() -> release(client, grant)));
                      }

                      @Override
                      public void notAcquired(String why) {
                        attempt.ends++;
                        assertTrue(patience >= 0, why);
                      }

                      @Override
                      public void failed(Failure failure) {
                        attempt.ends++;
                        failures++;
                      }
                    },
                    client.clock()));
    if (world.random.nextInt(8) == 0) {
      world.at(
          world.random.nextLong(3_000 * MILLI),
          () ->
              client.act(
                  () -> {
                    if (attempt.ends == 0 && made[0] != null) {
                      attempt.isCancelled = true;
                      client.core.cancel(made[0], client.clock());
                    }
                  }));
    }
  }

  private void release(Client client, HeldGrant grant) {
    beliefs.remove(grant.fencingToken());
    client.core.release(
        grant,
        new SessionCore.Release() {
          @Override
          public void released(boolean wasHeld) {}

          @Override
          public void failed(Failure failure) {}
        },
        client.clock());
  }

  /** I5 ClientStopsFirst: by each client's own clock, also of one that is paused. */
  private void nobody_believes_to_hold_it(String key, long token) {
    for (Belief belief : beliefs.values()) {
      HeldGrant grant = belief.grant();
      boolean believes =
          grant.key().equals(key)
              && !grant.isOver
              && grant.validity().isSureAt(belief.client().clock());
      assertFalse(
          believes,
          () ->
              "I5 ClientStopsFirst: [%s] is given away under [%d] while [%s] holds it under [%d]"
                  .formatted(key, token, belief.client().name, grant.fencingToken()));
    }
  }
}
