package io.holdfast.client;

import io.holdfast.client.session.Effect;
import io.holdfast.client.session.SessionCore;
import io.holdfast.client.session.SessionTerms;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a client's session. It takes the requests of callers and the frames of streams,
 * runs the core, and executes its effects. Requests that came during a turn go out in one frame for
 * each node.
 */
final class SessionLoop implements Turns {

  private static final Logger LOG = System.getLogger("io.holdfast.client");

  /** A turn, with the listener to its failure. */
  private record Posted(Turn turn, Consumer<Throwable> onFault) {}

  private static final int MAX_FAULTS_IN_A_ROW = 100;
  private static final long FAULT_PAUSE_NANOS = 10_000_000;

  private final NodeChannels channels;
  private final KnownNodes nodes;
  private final ClientSettings settings;
  private final LongSupplier clock;
  private final SessionCore core;
  private final Queue<Posted> inbox = new ConcurrentLinkedQueue<>();
  private final Map<Integer, SessionStream> streams = new HashMap<>();
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private final Thread thread;
  private final ReentrantLock afterEnd = new ReentrantLock();
  private volatile boolean isParked;
  private long tickAt;
  private int learned;

  SessionLoop(NodeChannels channels, KnownNodes nodes, ClientSettings settings) {
    this.channels = channels;
    this.nodes = nodes;
    this.settings = settings;
    this.clock = settings.nanoClock();
    long now = clock.getAsLong();
    tickAt = now;
    core =
        new SessionCore(
            new SessionTerms(
                settings.clientId(),
                settings.ttl().toMillis(),
                settings.answerWithin().toMillis(),
                SessionTerms.USUAL_PROBE_AFTER,
                SessionTerms.USUAL_SILENT_AFTER),
            nodes.list().stream().map(Endpoint::toString).toList(),
            RandomGenerator.getDefault(),
            now);
    thread = new Thread(this::run, "holdfast-session");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void post(Turn turn, Consumer<Throwable> onFault) {
    inbox.add(new Posted(turn, onFault));
    if (isParked) {
      LockSupport.unpark(thread);
    }
    if (ended.isDone()) {
      takeWhatIsLeft();
    }
  }

  /** Runs the rest once the thread has ended: a closed core fails every request. */
  private void takeWhatIsLeft() {
    afterEnd.lock();
    try {
      takeAll();
    } finally {
      afterEnd.unlock();
    }
  }

  /** Completes when the session and its thread have ended. */
  CompletableFuture<Boolean> ended() {
    return ended;
  }

  private void run() {
    int faults = 0;
    try {
      while (!core.isClosed()) {
        try {
          turn();
          rest();
          faults = 0;
        } catch (RuntimeException | Error e) {
          faults++;
          if (faults == MAX_FAULTS_IN_A_ROW) {
            throw e;
          }
          LOG.log(Level.ERROR, "a fault in the client's session, which goes on", e);
          LockSupport.parkNanos(this, FAULT_PAUSE_NANOS);
        }
      }
      turn();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a fault in the client's session: everything held is lost", e);
      core.closeNow(clock.getAsLong());
    } finally {
      streams.values().forEach(stream -> stream.end("the session has ended"));
      ended.complete(true);
      takeWhatIsLeft();
    }
  }

  /** The failure of a turn is reported to the caller of that turn only. */
  private void takeAll() {
    for (Posted posted = inbox.poll(); posted != null; posted = inbox.poll()) {
      try {
        posted.turn().take(core, clock.getAsLong());
      } catch (RuntimeException | Error e) {
        LOG.log(Level.ERROR, "a fault in a turn of the client's session, which goes on", e);
        posted.onFault().accept(e);
      }
    }
  }

  private void turn() {
    takeAll();
    long now = clock.getAsLong();
    learn(now);
    if (tickAt - now <= 0) {
      core.onTick(now);
      tickAt = core.nextTick(now);
    }
    for (Effect effect : core.effects(now)) {
      try {
        perform(effect, now);
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "a fault with [" + effect.getClass().getSimpleName() + "]", e);
        drop(effect);
      }
    }
    long next = core.nextTick(now);
    tickAt = tickAt - next > 0 ? next : tickAt;
  }

  /** Adds the nodes that other parts of the client have learned. */
  private void learn(long now) {
    List<Endpoint> known = nodes.list();
    for (; learned < known.size(); learned++) {
      core.learn(known.get(learned).toString(), now);
    }
  }

  private void rest() {
    isParked = true;
    long pause = tickAt - clock.getAsLong();
    if (inbox.isEmpty() && pause > 0 && !core.isClosed()) {
      LockSupport.parkNanos(this, pause);
    }
    isParked = false;
  }

  private void perform(Effect effect, long now) {
    if (effect instanceof Effect.Open open) {
      open(open, now);
    } else if (effect instanceof Effect.Send send) {
      SessionStream stream = streams.get(send.node());
      if (stream != null && stream.number() == send.stream()) {
        stream.send(send.frame());
      }
    } else if (effect instanceof Effect.End end) {
      SessionStream stream = streams.get(end.node());
      if (stream != null && stream.number() == end.stream()) {
        streams.remove(end.node());
        stream.end("the client has gone elsewhere");
        gone(stream, end.broken() ? "it is silent" : "it is not needed", end.broken());
      }
    } else {
      throw new IllegalStateException("unknown effect [" + effect + "]");
    }
  }

  /** The stream is broken: its open operations go to other streams. */
  private void drop(Effect effect) {
    if (effect instanceof Effect.Open open) {
      drop(open.node(), open.stream());
    } else if (effect instanceof Effect.Send send) {
      drop(send.node(), send.stream());
    }
  }

  private void drop(int node, long number) {
    post(
        (session, now) -> {
          SessionStream stream = streams.get(node);
          if (stream != null && stream.number() == number) {
            streams.remove(node);
            stream.end("a fault in the client");
          }
          session.onEnded(node, number, null, "a fault in the client", now);
        });
  }

  private void open(Effect.Open open, long now) {
    Endpoint endpoint;
    try {
      endpoint = nodes.find(open.endpoint());
    } catch (IllegalArgumentException e) { // as learned from a node
      core.onEnded(open.node(), open.stream(), null, String.valueOf(e.getMessage()), now);
      return;
    }
    SessionStream stream = new SessionStream(this, open.node(), open.stream(), endpoint);
    streams.put(open.node(), stream);
    stream.open(channels.to(endpoint), settings.callCredentials(), open.first());
  }

  private void gone(SessionStream stream, String why, boolean isBroken) {
    LOG.log(Level.DEBUG, "stream to [{0}] has ended: {1}", stream.endpoint(), why);
    if (stream.isOpened) {
      settings.events().disconnected(stream.endpoint().toString(), why);
    }
    if (isBroken) {
      channels.replace(stream.endpoint());
      nodes.trouble();
    }
  }

  // ---------------------------------------------------------------- from the streams' threads

  void onFrame(SessionStream stream, SessionResponse frame) {
    post(
        (core, now) -> {
          if (frame.hasOpened()) {
            stream.isOpened = true;
            nodes.learn(stream.endpoint());
            settings.events().connected(stream.endpoint().toString());
          }
          core.onFrame(stream.node(), stream.number(), frame, now);
        },
        fault -> drop(stream.node(), stream.number()));
  }

  void onEnded(SessionStream stream, @Nullable Refusal refusal, String why) {
    post(
        (core, now) -> {
          if (streams.get(stream.node()) == stream) {
            streams.remove(stream.node());
            gone(stream, why, /* isBroken= */ refusal == null);
          }
          core.onEnded(stream.node(), stream.number(), refusal, why, now);
        });
  }
}
