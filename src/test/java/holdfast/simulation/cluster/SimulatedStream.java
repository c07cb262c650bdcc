package holdfast.simulation.cluster;

import holdfast.client.session.SessionCore;
import holdfast.grpc.SimulatedSession;
import holdfast.grpc.SimulatedSessions;
import holdfast.v1.Refusal;
import holdfast.v1.SessionRequest;
import holdfast.v1.SessionResponse;
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
  private final RealClient client;
  private final ClusterTenant node;
  private final int number;
  private final long id;
  private final SplittableRandom chance;
  private final SessionCore core;
  private final Judged judged;
  private @Nullable SimulatedSession far;
  private long thereUs;
  private long backUs;
  private boolean isCutThere;
  private boolean isCutBack;
  private boolean isEnded;

  SimulatedStream(ClusterLocks locks, RealClient client, ClusterTenant node, int number, long id) {
    this.locks = locks;
    this.client = client;
    this.node = node;
    this.number = number;
    this.id = id;
    chance = client.chance();
    core = client.core();
    judged = new Judged(locks);
    client.host().later(LOOK_US, "has an eye on " + node, this::look);
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
      thereUs = Math.max(thereUs + 1, now + client.host().wireUs());
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
          client.onFrame(number, id, frame);
        });
  }

  @Override
  public void ended(@Nullable Refusal refusal) {
    back(() -> ended(refusal, "the node has ended it"));
  }

  private void back(Runnable action) {
    long now = locks.world().nowUs();
    backUs = Math.max(backUs + 1, now + client.host().wireUs());
    client
        .host()
        .later(
            backUs - now,
            "reads from " + node,
            () -> {
              if (!isCutBack && client.core() == core) { // also once it has ended it, for a moment
                action.run();
              }
            });
  }

  private void ended(@Nullable Refusal refusal, String why) {
    if (!isEnded && client.core() == core) {
      isEnded = true;
      judged.ended(refusal);
      client.onEnded(number, id, refusal, why);
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
      client
          .host()
          .later(
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
      client.host().later(LOOK_US, "has an eye on " + node, this::look);
    } else if (chance.nextInt(4) > 0) {
      ended(null, "connection reset");
    }
  }
}
