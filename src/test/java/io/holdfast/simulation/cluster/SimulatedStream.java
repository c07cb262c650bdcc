package io.holdfast.simulation.cluster;

import io.holdfast.client.session.Effect;
import io.holdfast.grpc.session.SimulatedSession;
import io.holdfast.grpc.session.SimulatedSessions;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One stream between a client and a process of a node: in order each way, and slow at times. It is
 * lost only as a whole: from some moment on nothing comes any more, one way or both, and each side
 * learns that when it does, or never.
 */
final class SimulatedStream implements SimulatedSessions.Client {

  private static final int LOOK_US = 100_000;
  private static final int HEARD_WITHIN_US = 2_500_000;

  private final ClusterLocks locks;
  private final RealSession client;
  private final ClientHost host;
  private final ClusterTenant node;
  private final Effect.Open opened;
  private final SplittableRandom chance;
  private final Judged judged;
  private @Nullable SimulatedSession far;
  private long thereUs;
  private long backUs;
  private boolean isCutThere;
  private boolean isCutBack;
  private boolean isEnded;

  SimulatedStream(
      ClusterLocks locks,
      RealSession client,
      ClientHost host,
      ClusterTenant node,
      Effect.Open opened) {
    this.locks = locks;
    this.client = client;
    this.host = host;
    this.node = node;
    this.opened = opened;
    chance = client.chance();
    judged = new Judged(client.judged());
    host.later(LOOK_US, "has an eye on " + node, this::look);
  }

  /** True if it is this stream, and not another one to the same address. */
  boolean isNumber(long stream) {
    return opened.stream() == stream;
  }

  /** The client sends a frame. */
  void send(SessionRequest frame) {
    if (!locks.world().isCalm() && chance.nextInt(150) == 0) {
      lose();
    }
    judged.sent(frame);
    there("a frame of " + client, () -> far().came(frame));
  }

  private SimulatedSession far() {
    SimulatedSession session = far;
    if (session == null) {
      session = node.sessions().connect(this);
      far = session;
    }
    return session;
  }

  private void there(Object what, Runnable action) {
    if (node.isRunning()) {
      long now = locks.world().nowUs();
      thereUs = Math.max(thereUs + 1, now + host.wireUs());
      node.later(
          thereUs - now,
          what,
          () -> {
            if (!isCutThere) {
              action.run();
            }
          });
    }
  }

  /** The client ends it. */
  void end() {
    isEnded = true;
    judged.left();
    there("the end of a stream of " + client, this::gone);
  }

  private void gone() {
    SimulatedSession session = far;
    if (session != null) {
      session.gone();
    }
  }

  @Override
  public void frame(SessionResponse frame) {
    back(
        () -> {
          judged.heard(frame);
          client.onFrame(opened.node(), opened.stream(), frame);
        });
  }

  @Override
  public void ended(@Nullable Refusal refusal) {
    back(() -> ended(refusal, "the node has ended it"));
  }

  private void back(Runnable action) {
    long now = locks.world().nowUs();
    backUs = Math.max(backUs + 1, now + host.wireUs());
    host.later(
        backUs - now,
        "reads from " + node,
        () -> {
          if (!isCutBack && !client.isOver()) { // also once it has ended it, for a moment
            action.run();
          }
        });
  }

  private void ended(@Nullable Refusal refusal, String why) {
    if (!isEnded && !client.isOver()) {
      isEnded = true;
      judged.ended(refusal);
      judged.left();
      client.onEnded(opened.node(), opened.stream(), refusal, why);
    }
  }

  // ------------------------------------------------------------------ how it is lost

  private void lose() {
    locks.count("stream lost");
    int way = chance.nextInt(4);
    isCutThere = way != 0;
    isCutBack = way != 1;
    if (node.isRunning()) {
      node.later(chance.nextInt(HEARD_WITHIN_US), "finds a stream lost", this::gone);
    }
    if (chance.nextBoolean()) {
      host.later(
          chance.nextInt(HEARD_WITHIN_US),
          "finds a stream lost",
          () -> ended(null, "connection reset"));
    }
  }

  /** The end of the node's process is told by its host, if that lives. */
  private void look() {
    if (isEnded) {
      return;
    } else if (node.isRunning()) {
      host.later(LOOK_US, "has an eye on " + node, this::look);
    } else if (chance.nextInt(4) > 0) {
      ended(null, "connection reset");
    }
  }
}
