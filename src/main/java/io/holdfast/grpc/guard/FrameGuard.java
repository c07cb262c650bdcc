package io.holdfast.grpc.guard;

import akka.stream.Attributes;
import akka.stream.BidiShape;
import akka.stream.Inlet;
import akka.stream.Outlet;
import akka.stream.StreamTcpException;
import akka.stream.stage.AbstractInHandler;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.GraphStage;
import akka.stream.stage.GraphStageLogic;
import akka.stream.stage.TimerGraphStageLogic;
import akka.util.ByteString;
import io.holdfast.config.GuardSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The Akka stage of a connection between network and server. It passes the bytes on, and {@link
 * FrameLimits} inspects them. Those that begin calls pass in slices, and as {@link HeldCalls} while
 * the node is late. A connection that violates a limit gets the reason and is closed. So is a
 * connection that the server has given up, and an idle one.
 *
 * <p>It ends the network's side with a failure, which resets the connection: a normal close would
 * wait until the client has read everything. Before the reset the client has a moment to read the
 * reason.
 *
 * <p>It takes nothing from the server before the client has sent the HTTP/2 preface. The server
 * emits whole frames, so that a last frame fits behind any of them.
 */
final class FrameGuard
    extends GraphStage<BidiShape<ByteString, ByteString, ByteString, ByteString>> {

  /** The time for the TLS handshake and the HTTP/2 preface. */
  static final Duration GREET_WITHIN = Duration.ofSeconds(10);

  /** The time for the client to read the reason before the connection is reset. */
  static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  /** The time for which a client may read nothing while its connection's buffers are full. */
  static final Duration READ_WITHIN = Duration.ofSeconds(20);

  private final Inlet<ByteString> fromServer = Inlet.create("guard.fromServer");
  private final Outlet<ByteString> toNetwork = Outlet.create("guard.toNetwork");
  private final Inlet<ByteString> fromNetwork = Inlet.create("guard.fromNetwork");
  private final Outlet<ByteString> toServer = Outlet.create("guard.toServer");

  /** Reserves the turn of the next slice of calls. See {@link CallPace#reserve}. */
  @FunctionalInterface
  interface Pace {
    long reserve(long now);
  }

  private final GuardSettings bounds;
  private final Pace pace;
  private final UnreadAnswers answers;
  private final HeldCalls held;
  private final LongSupplier nanos;
  private final Consumer<Violation> told;
  private final Duration greetWithin;
  private final Duration readWithin;

  /**
   * Creates the guard of one connection.
   *
   * @param pace the pace of the calls of the client's address
   * @param answers the answers that the client has not taken
   * @param held the calls that wait for their turns
   * @param nanos the monotonic clock
   * @param told is notified of a violation, at most once
   */
  FrameGuard(
      GuardSettings bounds,
      Pace pace,
      UnreadAnswers answers,
      HeldCalls held,
      LongSupplier nanos,
      Consumer<Violation> told) {
    this.bounds = bounds;
    this.pace = pace;
    this.answers = answers;
    this.held = held;
    this.nanos = nanos;
    this.told = told;
    this.greetWithin = shorter(GREET_WITHIN, bounds.idleAfter());
    this.readWithin = shorter(READ_WITHIN, bounds.idleAfter());
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  @Override
  public BidiShape<ByteString, ByteString, ByteString, ByteString> shape() {
    return new BidiShape<>(fromServer, toNetwork, fromNetwork, toServer);
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private enum Timer {
    GREETING,
    QUIET,
    TURN,
    CLOSING
  }

  private final class Logic extends TimerGraphStageLogic {

    private final FrameLimits limits = new FrameLimits(bounds, nanos.getAsLong());
    private boolean greeted;
    private boolean closing;
    private boolean ended; // no more bytes are passed on
    private final PacedBytes received = new PacedBytes(held);
    private final BooleanSupplier reserveTurn = this::reserveTurn;
    private boolean unread;
    private long unreadSince;
    private long left; // frames of answers that the client took
    private long leftAt;

    Logic() {
      super(shape());
      setHandler(fromNetwork, new FromNetwork());
      setHandler(toServer, new ToServer());
      setHandler(fromServer, new FromServer());
      setHandler(toNetwork, new ToNetwork());
    }

    @Override
    public void preStart() {
      scheduleOnce(Timer.GREETING, greetWithin);
      leftAt = nanos.getAsLong();
      Duration often = readWithin.dividedBy(4);
      scheduleWithFixedDelay(Timer.QUIET, often, often);
    }

    @Override
    public void onTimer(Object timer) {
      if (timer == Timer.CLOSING) {
        reset("the connection was not closed by the other side");
      } else if (ended) {
        return;
      } else if (timer == Timer.TURN) {
        received.turn();
        passOn();
      } else if (timer == Timer.GREETING) {
        end(FrameLimits.noHttp2());
      } else if (!received.areWaiting()
          && limits.quietNanos(nanos.getAsLong()) > bounds.idleAfter().toNanos()) {
        end(limits.idle(bounds.idleAfter()));
      } else if (unread && nanos.getAsLong() - unreadSince > readWithin.toNanos()) {
        end(Violation.silent("nothing was read for [" + readWithin.toMillis() + "ms]"));
      } else if (areStuck(nanos.getAsLong())) {
        end(
            Violation.silent(
                "no answer was taken for [%dms] while there was no room for more"
                    .formatted(readWithin.toMillis())));
      }
    }

    /** True if the client has taken none of its answers for too long while the node has no room. */
    private boolean areStuck(long now) {
      if (answers.left() != left || !answers.areStuck()) {
        left = answers.left();
        leftAt = now;
      }
      return now - leftAt > readWithin.toNanos();
    }

    /** Passes bytes on, or reads more, if the server wants some. */
    private void passOn() {
      if (ended || !isAvailable(toServer)) {
        return;
      }
      ByteString next = received.next(reserveTurn);
      Quota.Full full = received.count();
      if (full != null) {
        end(
            Violation.calm(
                "the %s has [%d] bytes of held calls, the maximum"
                    .formatted(full.of(), full.most())));
      }
      if (ended) {
        return;
      } else if (!next.isEmpty()) {
        push(toServer, next);
        completeServer();
      } else if (!isClosed(fromNetwork) && !hasBeenPulled(fromNetwork) && received.mayRead()) {
        pull(fromNetwork);
      }
    }

    /**
     * Reserves the turn of the next slice of calls. Returns true if the slice may pass now;
     * otherwise its turn comes later, or never.
     */
    private boolean reserveTurn() {
      if (isTimerActive(Timer.TURN)) {
        return false;
      }
      long wait = pace.reserve(nanos.getAsLong());
      if (wait == CallPace.TOO_LATE) {
        end(
            Violation.calm(
                "more calls than this node can begin within [%dms] now"
                    .formatted(CallPace.LONGEST_WAIT.toMillis())));
      } else if (wait > 0) {
        scheduleOnce(Timer.TURN, Duration.ofNanos(wait));
      }
      return wait == 0;
    }

    /** Ends the server's side if the client has closed the connection and all has passed. */
    private void completeServer() {
      if (closing && received.isEmpty()) {
        complete(toServer);
        scheduleOnce(Timer.CLOSING, CLOSE_WITHIN);
      }
    }

    private void end(Violation violation) {
      ended = true;
      received.end();
      told.accept(violation);
      cancel(fromServer);
      if (violation.kind() != Violation.Kind.SILENT) {
        emit(toNetwork, ByteString.fromArrayUnsafe(violation.answer()));
      }
      close();
    }

    /** Resets the connection when the client has closed it, or after {@link #CLOSE_WITHIN}. */
    private void close() {
      if (isClosed(fromNetwork)) {
        reset("the connection was closed by the other side");
      } else if (!closing) {
        closing = true;
        scheduleOnce(Timer.CLOSING, CLOSE_WITHIN);
      }
    }

    @Override
    public void postStop() {
      received.end();
    }

    private void reset(String reason) {
      failStage(new StreamTcpException(reason));
    }

    private @Nullable Violation look(ByteString bytes, boolean fromClient) {
      long now = nanos.getAsLong();
      for (ByteBuffer part : bytes.getByteBuffers()) {
        Violation violation = fromClient ? limits.received(part, now) : limits.sent(part, now);
        if (violation != null) {
          return violation;
        }
      }
      return null;
    }

    private final class FromNetwork extends AbstractInHandler {
      @Override
      public void onPush() {
        ByteString bytes = grab(fromNetwork);
        if (ended || isClosed(toServer)) {
          return;
        }
        int untilFrame = limits.untilFrame();
        long calls = limits.calls();
        Violation violation = look(bytes, /* fromClient= */ true);
        if (violation != null) {
          end(violation);
          return;
        }
        received.add(bytes, untilFrame, limits.ofHead(), /* calls= */ limits.calls() > calls);
        passOn();
        if (!greeted && !ended && limits.isGreeted()) {
          greeted = true;
          cancelTimer(Timer.GREETING);
          if (isAvailable(toNetwork)) {
            pull(fromServer);
          }
        }
      }

      @Override
      public void onUpstreamFinish() {
        if (closing) {
          reset("the connection was closed by the other side");
        } else if (limits.mayEnd()) {
          closing = true;
          completeServer();
        } else {
          // A broken connection for the server, which would log half a frame as its own fault.
          reset("the connection ended within a frame");
        }
      }

      @Override
      public void onUpstreamFailure(Throwable failure) {
        if (failure instanceof SSLException && !ended) {
          told.accept(Violation.silent(String.valueOf(failure.getMessage())));
        }
        failStage(failure);
      }
    }

    private final class ToServer extends AbstractOutHandler {
      @Override
      public void onPull() {
        passOn();
      }

      @Override
      public void onDownstreamFinish(Throwable cause) {
        // The server may still send the reason.
        close();
      }
    }

    private final class FromServer extends AbstractInHandler {
      @Override
      public void onPush() {
        ByteString bytes = grab(fromServer);
        Violation violation = look(bytes, /* fromClient= */ false);
        unread = true;
        unreadSince = nanos.getAsLong();
        push(toNetwork, bytes);
        if (violation != null) {
          end(violation);
        }
      }

      @Override
      public void onUpstreamFinish() {
        ended = true;
        close();
      }
    }

    private final class ToNetwork extends AbstractOutHandler {
      @Override
      public void onPull() {
        unread = false;
        if (greeted && !ended) {
          pull(fromServer);
        }
      }
    }
  }
}
