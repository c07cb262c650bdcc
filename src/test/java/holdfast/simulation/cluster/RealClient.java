package holdfast.simulation.cluster;

import holdfast.client.session.Effect;
import holdfast.client.session.SessionCore;
import holdfast.client.session.SessionTerms;
import holdfast.raft.core.MemberId;
import holdfast.v1.Refusal;
import holdfast.v1.SessionResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process with the real client: its session over streams to all nodes, and who asks by it. */
final class RealClient implements LivingClient {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int MIN_TTL_MS = 1_000;
  private static final int MAX_HANDLES = 3;

  /** As the client's own thread does. */
  private static final long CLOSE_WITHIN_US = 2_000_000;

  private final ClusterLocks locks;
  private final String name;
  private final SplittableRandom chance;
  private final ClientHost host;
  private final long firstNanos;
  private final List<RealHandle> handles = new ArrayList<>();
  private final Map<Integer, SimulatedStream> streams = new HashMap<>();
  private final List<MemberId> nodes = new ArrayList<>();
  private final Set<String> keys = new TreeSet<>();
  private SessionCore core;
  private @Nullable RealLastRound round;
  private long ticks;
  private long tickAt;
  private int wishes;

  RealClient(ClusterLocks locks, String name, SplittableRandom chance) {
    this.locks = locks;
    this.name = name;
    this.chance = chance;
    host = new ClientHost(locks, name, chance);
    firstNanos = chance.nextBoolean() ? 0 : Long.MAX_VALUE - 3_000 * NANOS_PER_MILLI;
    core = newCore();
    int count = 1 + chance.nextInt(MAX_HANDLES);
    for (int i = 0; i < count; i++) {
      handles.add(new RealHandle(this, "h" + i));
    }
  }

  private SessionCore newCore() {
    nodes.clear();
    nodes.addAll(locks.members());
    SessionTerms terms =
        new SessionTerms(
            name,
            MIN_TTL_MS + chance.nextInt(400),
            /* answerWithin= */ 1_000 + chance.nextInt(3_000),
            SessionTerms.USUAL_PROBE_AFTER,
            SessionTerms.USUAL_SILENT_AFTER);
    return new SessionCore(
        terms, nodes.stream().map(MemberId::toString).toList(), chance.split(), nanos());
  }

  @Override
  public void begin() {
    tickLater(nanos());
    handles.forEach(RealHandle::rest);
  }

  // ------------------------------------------------------------------ its core

  /** Does something with the core, and what comes of it. */
  void act(Runnable what) {
    what.run();
    settle();
  }

  private void settle() {
    long now = nanos();
    for (Effect effect : core.effects(now)) {
      if (effect instanceof Effect.Open open) {
        open(open);
      } else if (effect instanceof Effect.Send send) {
        stream(send.node()).send(send.frame());
      } else if (effect instanceof Effect.End end) {
        SimulatedStream ended = streams.get(end.node());
        if (ended != null) {
          ended.end();
        }
      }
    }
    if (core.isClosed()) {
      beginAnew();
      return;
    }
    long next = core.nextTick(now);
    if (tickAt - next > 0) {
      tickLater(next);
    }
  }

  private void open(Effect.Open open) {
    ClusterTenant node = locks.tenantOf(nodes.get(open.node()));
    if (node == null) {
      host.later(
          host.wireUs(),
          "is refused by " + open.endpoint(),
          () -> onEnded(open.node(), open.stream(), null, "connection refused"));
      streams.remove(open.node());
      return;
    }
    SimulatedStream stream = new SimulatedStream(locks, this, node, open.node(), open.stream());
    streams.put(open.node(), stream);
    stream.send(open.first());
  }

  private SimulatedStream stream(int node) {
    return Objects.requireNonNull(streams.get(node), "a stream");
  }

  void onFrame(int node, long stream, SessionResponse frame) {
    act(() -> core.onFrame(node, stream, frame, nanos()));
  }

  void onEnded(int node, long stream, @Nullable Refusal refusal, String why) {
    act(() -> core.onEnded(node, stream, refusal, why, nanos()));
  }

  private void tickLater(long at) {
    long mine = ++ticks;
    tickAt = at;
    long delayUs = Math.max(1_000, (at - nanos()) / 1_000);
    host.later(
        delayUs,
        "ticks",
        () -> {
          if (mine == ticks) {
            tickAt = nanos() + Long.MAX_VALUE / 2;
            act(() -> core.onTick(nanos()));
          }
        });
  }

  /** Its own monotonic clock, which overflows soon in half of them. */
  long nanos() {
    return firstNanos + host.nowMs() * NANOS_PER_MILLI;
  }

  // ------------------------------------------------------------------ what happens to it

  @Override
  public void later(long delayUs, Object what, Runnable action) {
    host.later(delayUs, what, action);
  }

  @Override
  public void pause(long forUs) {
    host.pause(chance.nextInt(4) == 0 ? 3 * forUs : forUs); // at times past its session's deadline
  }

  @Override
  public void die() {
    host.die();
    streams.values().forEach(SimulatedStream::end);
  }

  @Override
  public void closeSession() {
    SessionCore closing = core;
    act(() -> closing.close(nanos()));
    host.later(
        CLOSE_WITHIN_US,
        "closes in any case",
        () -> {
          if (core == closing) {
            act(() -> closing.closeNow(nanos()));
          }
        });
  }

  /** The client is closed; the process has a new one. */
  private void beginAnew() {
    locks.count("real client closed");
    streams.clear();
    core = newCore();
    tickLater(nanos());
  }

  @Override
  public void eachBelief(Consumer<Belief> look) {
    handles.forEach(look);
  }

  @Override
  public void askOnceMore() {
    RealLastRound made = new RealLastRound(this, keys);
    round = made;
    host.later(0, "asks once more for " + keys, made::begin);
  }

  @Override
  public @Nullable String unserved() {
    RealLastRound last = round;
    return last == null || last.isOver() ? null : last.toString();
  }

  // ------------------------------------------------------------------ what its parts need

  SessionCore core() {
    return core;
  }

  ClientHost host() {
    return host;
  }

  ClusterLocks locks() {
    return locks;
  }

  SplittableRandom chance() {
    return chance;
  }

  /** One of its handles begins to ask for this key. */
  void asksFor(String key) {
    keys.add(key);
  }

  /** Which no wish before had. */
  String newHolder(String of) {
    return of + "." + ++wishes;
  }

  @Override
  public String toString() {
    return name;
  }
}
