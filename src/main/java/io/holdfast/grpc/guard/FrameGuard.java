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
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection's place between network and server: passes bytes on as they are, while a {@link
 * FrameWatch} looks at them. A connection that violates a bound is told why, and closed; so is one
 * that the server has given up, and one from which nothing comes. The server sees it end.
 *
 * <p>It never completes the network's side, it fails it: a connection is then reset, while one that
 * is closed waits until the client has read all. Before that the client has a moment to read.
 *
 * <p>The server is not asked for anything before the client has said that it speaks HTTP/2. It
 * gives whole frames, so that a last one fits behind any of them.
 */
final class FrameGuard
    extends GraphStage<BidiShape<ByteString, ByteString, ByteString, ByteString>> {

  /** Within this a client has to say what it speaks, and to be done with TLS before. */
  static final Duration GREET_WITHIN = Duration.ofSeconds(10);

  /** So long a connection that is over stays, for the client to read why. */
  static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  /** So long a client may leave what was sent to it unread, once there is room for no more. */
  static final Duration READ_WITHIN = Duration.ofSeconds(20);

  private final Inlet<ByteString> fromServer = Inlet.create("guard.fromServer");
  private final Outlet<ByteString> toNetwork = Outlet.create("guard.toNetwork");
  private final Inlet<ByteString> fromNetwork = Inlet.create("guard.fromNetwork");
  private final Outlet<ByteString> toServer = Outlet.create("guard.toServer");

  private final GuardSettings bounds;
  private final UnreadAnswers answers;
  private final LongSupplier nanos;
  private final Consumer<Violation> told;
  private final Duration greetWithin;
  private final Duration readWithin;

  /**
   * A guard for one connection.
   *
   * @param answers that the client has not taken
   * @param nanos the monotonic clock
   * @param told is told of a violation, at most once
   */
  FrameGuard(
      GuardSettings bounds, UnreadAnswers answers, LongSupplier nanos, Consumer<Violation> told) {
    this.bounds = bounds;
    this.answers = answers;
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
    CLOSING
  }

  private final class Logic extends TimerGraphStageLogic {

    private final FrameWatch watch = new FrameWatch(bounds, nanos.getAsLong());
    private boolean greeted;
    private boolean closing;
    private boolean ended; // nothing is passed on any more
    private boolean unread;
    private long unreadSince;
    private long left; // of answers
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
      } else if (timer == Timer.GREETING) {
        end(FrameWatch.noHttp2());
      } else if (watch.quietNanos(nanos.getAsLong()) > bounds.idleAfter().toNanos()) {
        end(watch.idle(bounds.idleAfter()));
      } else if (unread && nanos.getAsLong() - unreadSince > readWithin.toNanos()) {
        end(Violation.silent("nothing was read for [" + readWithin.toMillis() + "ms]"));
      } else if (areStuck(nanos.getAsLong())) {
        end(
            Violation.silent(
                "no answer was taken for [%dms] while there was no room for more"
                    .formatted(readWithin.toMillis())));
      }
    }

    /** True if the client takes none of its answers while others need the room. */
    private boolean areStuck(long now) {
      if (answers.left() != left || !answers.areStuck()) {
        left = answers.left();
        leftAt = now;
      }
      return now - leftAt > readWithin.toNanos();
    }

    private void end(Violation violation) {
      ended = true;
      told.accept(violation);
      cancel(fromServer);
      if (violation.kind() != Violation.Kind.SILENT) {
        emit(toNetwork, ByteString.fromArrayUnsafe(violation.answer()));
      }
      close();
    }

    /** Resets the connection as soon as the client has closed it, and soon if it does not. */
    private void close() {
      if (isClosed(fromNetwork)) {
        reset("the connection was closed by the other side");
      } else if (!closing) {
        closing = true;
        scheduleOnce(Timer.CLOSING, CLOSE_WITHIN);
      }
    }

    private void reset(String reason) {
      failStage(new StreamTcpException(reason));
    }

    private @Nullable Violation look(ByteString bytes, boolean received) {
      long now = nanos.getAsLong();
      for (ByteBuffer part : bytes.getByteBuffers()) {
        Violation violation = received ? watch.received(part, now) : watch.sent(part, now);
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
        Violation violation = look(bytes, /* received= */ true);
        if (violation != null) {
          end(violation);
          return;
        }
        push(toServer, bytes);
        if (!greeted && watch.isGreeted()) {
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
        } else if (watch.mayEnd()) {
          complete(toServer);
          closing = true;
          scheduleOnce(Timer.CLOSING, CLOSE_WITHIN);
        } else {
          // To the server a broken connection: half a frame would be a fault of its own to it.
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
        if (!ended && !isClosed(fromNetwork)) {
          pull(fromNetwork);
        }
      }

      @Override
      public void onDownstreamFinish(Throwable cause) {
        // It may still say why.
        close();
      }
    }

    private final class FromServer extends AbstractInHandler {
      @Override
      public void onPush() {
        ByteString bytes = grab(fromServer);
        Violation violation = look(bytes, /* received= */ false);
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
