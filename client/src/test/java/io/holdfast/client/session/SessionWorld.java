package io.holdfast.client.session;

import io.holdfast.client.session.ModelNodes.Health;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Clients and nodes in virtual time, with delays, pauses and failures from one seed. */
final class SessionWorld {

  static final long MILLI = 1_000_000;
  private static final long MAX_DELAY = 30 * MILLI;

  private record Event(long at, long order, Runnable action) {}

  /** A client: a core, the streams it has, and a clock that runs a little wrong. */
  final class Client {
    final String name;
    final SessionCore core;
    final double drift;
    final Map<Integer, Line> lines = new HashMap<>();
    long pausedUntil;
    boolean isGone;

    Client(String name, double drift, long ttl) {
      this.name = name;
      this.drift = drift;
      this.core =
          new SessionCore(
              new SessionTerms(name, ttl, 10_000, 300, 700),
              List.of("n0:1", "n1:1", "n2:1"),
              random.split(),
              clock());
    }

    /** Its own monotonic clock, which overflows soon. */
    long clock() {
      return Long.MAX_VALUE - 5_000 * MILLI + (long) (now * drift);
    }

    /** Does something with the core, and what comes of it; later, while it is paused. */
    void act(Runnable what) {
      if (isGone) {
        return;
      } else if (pausedUntil > now) {
        at(pausedUntil - now, () -> act(what));
        return;
      }
      what.run();
      settle();
    }

    private void settle() {
      for (Effect effect : core.effects(clock())) {
        if (effect instanceof Effect.Open open) {
          Line line = new Line(this, open.node(), open.stream());
          lines.put(open.node(), line);
          line.send(open.first());
        } else if (effect instanceof Effect.Send send) {
          line(send.node()).send(send.frame());
        } else if (effect instanceof Effect.End end) {
          line(end.node()).end();
        }
      }
    }

    private Line line(int node) {
      return Objects.requireNonNull(lines.get(node), "a stream");
    }

    void tick() {
      act(() -> core.onTick(clock()));
      if (!isGone) {
        long pause = core.nextTick(clock()) - clock();
        at((long) (pause / drift), this::tick);
      }
    }
  }

  /** One stream, first in first out each way. */
  private final class Line implements ModelNodes.ToClient {
    private final Client client;
    private final int node;
    private final long stream;
    private @Nullable Object far;
    private long lastThere;
    private long lastBack;
    private boolean isEnded;

    Line(Client client, int node, long stream) {
      this.client = client;
      this.node = node;
      this.stream = stream;
      far = nodes.connect(node, this);
      if (far == null) {
        ended(null);
      }
    }

    void send(io.holdfast.v1.SessionRequest frame) {
      lastThere = Math.max(lastThere, now + random.nextLong(MAX_DELAY));
      at(
          lastThere - now,
          () -> {
            Object open = far;
            if (open != null) {
              nodes.frame(open, frame);
            }
          });
    }

    void end() {
      isEnded = true;
      Object open = far;
      if (open != null) {
        at(random.nextLong(MAX_DELAY), () -> nodes.disconnect(open));
      }
    }

    @Override
    public void frame(SessionResponse frame) {
      back(() -> client.core.onFrame(node, stream, frame, client.clock()));
    }

    @Override
    public void ended(@Nullable Refusal refusal) {
      back(() -> client.core.onEnded(node, stream, refusal, "it is away", client.clock()));
    }

    private void back(Runnable what) {
      lastBack = Math.max(lastBack, now + random.nextLong(MAX_DELAY));
      at(lastBack - now, () -> client.act(isEnded ? () -> {} : what));
    }
  }

  final SplittableRandom random;
  final ModelNodes nodes;
  final List<Client> clients = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private long order;
  long now;

  SessionWorld(long seed, io.holdfast.client.fixtures.ModelLocks.Witness witness) {
    random = new SplittableRandom(seed);
    nodes = new ModelNodes(witness, random.split(), () -> now);
  }

  Client client(String name, long ttl) {
    Client client = new Client(name, 1 + (random.nextDouble() - 0.5) / 100, ttl);
    clients.add(client);
    client.tick();
    return client;
  }

  void at(long delay, Runnable action) {
    events.add(new Event(now + Math.max(0, delay), order++, action));
  }

  void run(long until) {
    while (!events.isEmpty() && events.peek().at() <= until) {
      Event next = events.remove();
      now = next.at();
      next.action().run();
      if (!nodes.isOutage()) {
        nodes.locks.expire(now);
      }
    }
    now = until;
  }

  /** All nodes are killed, and come back after a while. */
  void outage() {
    nodes.killAll();
    at(random.nextLong(30_000 * MILLI), nodes::restartAll);
  }

  /** Something goes wrong, for a while. */
  void trouble() {
    int node = random.nextInt(ModelNodes.SIZE);
    Health to = List.of(Health.values()).get(random.nextInt(Health.values().length));
    nodes.turn(node, to);
    at(random.nextLong(6_000 * MILLI), () -> nodes.turn(node, Health.WELL));
    if (random.nextInt(4) == 0) {
      Client paused = clients.get(random.nextInt(clients.size()));
      paused.pausedUntil = now + random.nextLong(8_000 * MILLI);
    }
  }
}
