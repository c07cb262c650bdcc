package io.holdfast.simulation.cluster;

import io.holdfast.client.SimulatedLocks;
import io.holdfast.client.session.SessionTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process with the real client: its session, and who asks by it. */
final class RealClient implements LivingClient {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int MIN_TTL_MS = 1_000;
  private static final int MAX_HANDLES = 3;

  private final ClusterLocks locks;
  private final String name;
  private final SplittableRandom chance;
  private final ClientHost host;
  private final long firstNanos;
  private final List<RealHandle> handles = new ArrayList<>();
  private final List<Belief> beliefs = new ArrayList<>();
  private final Set<String> keys = new TreeSet<>();
  private @Nullable RealSession session;
  private @Nullable RealLastRound round;
  private int attempts;

  RealClient(ClusterLocks locks, String name, SplittableRandom chance) {
    this.locks = locks;
    this.name = name;
    this.chance = chance;
    host = new ClientHost(locks, name, chance);
    firstNanos = chance.nextBoolean() ? 0 : Long.MAX_VALUE - 3_000 * NANOS_PER_MILLI;
    int count = 1 + chance.nextInt(MAX_HANDLES);
    for (int i = 0; i < count; i++) {
      RealHandle handle = new RealHandle(this, "h" + i);
      handles.add(handle);
      beliefs.add(handle.first());
      beliefs.add(handle.second());
    }
  }

  @Override
  public void begin() {
    session = newSession();
    handles.forEach(RealHandle::rest);
  }

  private RealSession newSession() {
    boolean isPatient = chance.nextInt(4) == 0;
    SessionTerms terms =
        new SessionTerms(
            name,
            MIN_TTL_MS + chance.nextInt(isPatient ? 2_000 : 400),
            /* answerWithin= */ 300 + chance.nextInt(3_700),
            SessionTerms.USUAL_PROBE_AFTER - chance.nextInt(200),
            SessionTerms.USUAL_SILENT_AFTER - chance.nextInt(400));
    return new RealSession(this, terms, chance.split());
  }

  private RealSession session() {
    RealSession now = session;
    if (now == null) {
      throw new IllegalStateException(name + " has not begun");
    }
    return now;
  }

  /** The session is closed; the process has a new one. */
  void closed(RealSession which) {
    locks.count("real client closed");
    if (which == session && !host.isDead()) {
      session = newSession();
    }
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
    session().die();
  }

  @Override
  public void closeSession() {
    session().close();
  }

  @Override
  public void eachBelief(Consumer<Belief> look) {
    beliefs.forEach(look);
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

  /** The locks of the session that it has now, for its callers. */
  SimulatedLocks callers() {
    return session().callers();
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

  /** Its own monotonic clock, which overflows soon in half of them. */
  long nanos() {
    return firstNanos + host.nowMs() * NANOS_PER_MILLI;
  }

  /** One of its handles begins to ask for this key. */
  void asksFor(String key) {
    keys.add(key);
  }

  /** A name for a holder that no attempt before had. */
  String newHolder(String of) {
    return of + "." + ++attempts;
  }

  @Override
  public String toString() {
    return name;
  }
}
