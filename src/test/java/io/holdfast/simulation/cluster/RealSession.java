package io.holdfast.simulation.cluster;

import io.holdfast.client.SimulatedLocks;
import io.holdfast.client.session.Effect;
import io.holdfast.client.session.SessionCore;
import io.holdfast.client.session.SessionTerms;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One session of the real client, with its streams to nodes. It knows one address at first. Nodes
 * tell it others. If a node is not reached, it resolves the name that it was given once more.
 */
final class RealSession {

  private static final long NEVER = Long.MAX_VALUE / 2;
  private static final int RESOLVES_WITHIN_US = 100_000;
  private static final int RESOLVES_EVERY_US = 1_000_000;

  /** As the client's own thread does. */
  private static final long CLOSE_WITHIN_US = 2_000_000;

  private final RealClient client;
  private final ClusterLocks locks;
  private final ClientHost host;
  private final SplittableRandom chance;
  private final SessionCore core;
  private final SimulatedLocks callers;
  private final JudgedSession judged;
  private final Map<Integer, SimulatedStream> streams = new HashMap<>();
  private final Deque<SimulatedLocks.Turn> inbox = new ArrayDeque<>();
  private final SessionTerms terms;
  private boolean isResolving;
  private boolean isOver;
  private long heardAt;
  private long ticks;
  private long tickAt;

  RealSession(RealClient client, SessionTerms terms, SplittableRandom chance) {
    this.client = client;
    this.terms = terms;
    this.chance = chance;
    locks = client.locks();
    host = client.host();
    judged = new JudgedSession(locks, terms.clientId());
    heardAt = client.nanos();
    core =
        new SessionCore(terms, List.of(locks.anyEndpoint(chance)), chance.split(), client.nanos());
    callers =
        new SimulatedLocks(
            terms.clientId(),
            client::nanos,
            action -> host.later(handOverUs(), "calls back", action),
            this::post);
    tickLater(client.nanos());
  }

  /** The locks of this session, for its callers. */
  SimulatedLocks callers() {
    return callers;
  }

  JudgedSession judged() {
    return judged;
  }

  /** True if it is closed, and another one has taken its place. */
  boolean isOver() {
    return isOver;
  }

  SplittableRandom chance() {
    return chance;
  }

  private long handOverUs() {
    return chance.nextInt(chance.nextInt(30) == 0 ? 20_000 : 100);
  }

  // ------------------------------------------------------------------ its thread

  private void post(SimulatedLocks.Turn turn) {
    inbox.add(turn);
    host.later(handOverUs(), "takes what was asked", () -> act(this::takeAll));
  }

  private void takeAll() {
    while (!inbox.isEmpty()) {
      inbox.remove().take(core, client.nanos());
    }
  }

  private void act(Runnable what) {
    what.run();
    long now = client.nanos();
    for (Effect effect : core.effects(now)) {
      if (!isOver) {
        perform(effect);
      }
    }
    if (isOver) {
      return;
    } else if (core.isClosed()) {
      isOver = true;
      client.closed(this);
      return;
    }
    long next = core.nextTick(now);
    if (tickAt - next > 0) {
      tickLater(next);
    }
  }

  private void perform(Effect effect) {
    if (effect instanceof Effect.Open open) {
      open(open);
    } else if (effect instanceof Effect.Send send) {
      SimulatedStream stream = streams.get(send.node());
      if (stream != null && stream.isNumber(send.stream())) {
        stream.send(send.frame());
      }
    } else if (effect instanceof Effect.End end) {
      SimulatedStream stream = streams.get(end.node());
      if (stream != null && stream.isNumber(end.stream())) {
        streams.remove(end.node());
        stream.end();
      }
      resolve(end.broken()); // also of one to an address where nobody ever said anything
    }
  }

  private void open(Effect.Open open) {
    ClusterTenant node = locks.tenantAt(open.endpoint());
    if (node != null) {
      SimulatedStream stream = new SimulatedStream(locks, this, host, node, open);
      streams.put(open.node(), stream);
      stream.send(open.first());
      return;
    }
    streams.remove(open.node());
    if (chance.nextInt(4) > 0) { // else nobody says anything
      host.later(
          host.wireUs(),
          "is refused by " + open.endpoint(),
          () -> onEnded(open.node(), open.stream(), null, "connection refused"));
    }
  }

  void onFrame(int node, long stream, SessionResponse frame) {
    if (frame.getOpened().getResumed()) {
      long silentMs = (client.nanos() - heardAt) / 1_000_000;
      if (silentMs > terms.answerWithin() + terms.ttl()) {
        locks.count("real session outlived its client's patience");
      }
    }
    heardAt = client.nanos();
    act(() -> core.onFrame(node, stream, frame, client.nanos()));
  }

  void onEnded(int node, long stream, @Nullable Refusal refusal, String why) {
    act(() -> core.onEnded(node, stream, refusal, why, client.nanos()));
    resolve(refusal == null);
  }

  /** A name may stand for others by now. */
  private void resolve(boolean isBroken) {
    if (isBroken && !isResolving) {
      isResolving = true;
      host.later(
          chance.nextInt(RESOLVES_WITHIN_US),
          "resolves a name",
          () -> act(() -> locks.endpoints().forEach(known -> core.learn(known, client.nanos()))));
      host.later(RESOLVES_EVERY_US, "may resolve a name", () -> isResolving = false);
    }
  }

  private void tickLater(long at) {
    long mine = ++ticks;
    tickAt = at;
    long delayUs = Math.max(1_000, (at - client.nanos()) / 1_000);
    host.later(
        delayUs,
        "ticks",
        () -> {
          if (mine == ticks && !isOver) {
            tickAt = client.nanos() + NEVER;
            act(() -> core.onTick(client.nanos()));
          }
        });
  }

  // ------------------------------------------------------------------ its end

  void close() {
    act(() -> core.close(client.nanos()));
    host.later(CLOSE_WITHIN_US, "closes in any case", this::closeNow);
  }

  private void closeNow() {
    if (!isOver) {
      act(() -> core.closeNow(client.nanos()));
    }
  }

  /** Its process has died. */
  void die() {
    isOver = true;
    streams.values().forEach(SimulatedStream::end);
  }

  @Override
  public String toString() {
    return client.toString();
  }
}
