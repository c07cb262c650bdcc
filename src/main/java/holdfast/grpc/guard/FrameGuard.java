package holdfast.grpc.guard;

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
import holdfast.config.GuardSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection's place between network and server: passes bytes on as they are, while a {@link
 * FrameWatch} looks at them. A connection that violates a bound is told why, and closed; the server
 * sees it end.
 *
 * <p>The server is not asked for anything before the client has said that it speaks HTTP/2. It
 * gives whole frames, so that a last one fits behind any of them.
 */
final class FrameGuard
    extends GraphStage<BidiShape<ByteString, ByteString, ByteString, ByteString>> {

  /** Within this a client has to say what it speaks. */
  private static final Duration GREET_WITHIN = Duration.ofSeconds(10);

  /** So long a client that violated a bound may take to read why. */
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

  private final Inlet<ByteString> fromServer = Inlet.create("guard.fromServer");
  private final Outlet<ByteString> toNetwork = Outlet.create("guard.toNetwork");
  private final Inlet<ByteString> fromNetwork = Inlet.create("guard.fromNetwork");
  private final Outlet<ByteString> toServer = Outlet.create("guard.toServer");

  private final GuardSettings bounds;
  private final LongSupplier nanos;
  private final Consumer<Violation> told;

  /**
   * A guard for one connection.
   *
   * @param nanos the monotonic clock
   * @param told is told of a violation, at most once
   */
  FrameGuard(GuardSettings bounds, LongSupplier nanos, Consumer<Violation> told) {
    this.bounds = bounds;
    this.nanos = nanos;
    this.told = told;
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
    CLOSING
  }

  private final class Logic extends TimerGraphStageLogic {

    private final FrameWatch watch = new FrameWatch(bounds, nanos.getAsLong());
    private boolean greeted;
    private boolean ending;

    Logic() {
      super(shape());
      setHandler(fromNetwork, new FromNetwork());
      setHandler(toServer, new ToServer());
      setHandler(fromServer, new FromServer());
      setHandler(toNetwork, new ToNetwork());
    }

    @Override
    public void preStart() {
      scheduleOnce(Timer.GREETING, GREET_WITHIN);
    }

    @Override
    public void onTimer(Object timer) {
      if (timer == Timer.CLOSING) {
        failStage(new StreamTcpException("the connection was not closed by the other side"));
      } else if (!ending) {
        end(FrameWatch.noHttp2());
      }
    }

    private void end(Violation violation) {
      ending = true;
      told.accept(violation);
      cancel(fromServer);
      emit(toNetwork, ByteString.fromArrayUnsafe(violation.answer()), () -> complete(toNetwork));
      scheduleOnce(Timer.CLOSING, CLOSE_WITHIN);
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
        if (ending) {
          completeStage();
        } else if (watch.mayEnd()) {
          complete(toServer);
        } else {
          // To the server a broken connection: half a frame would be a fault of its own to it.
          failStage(new StreamTcpException("the connection ended within a frame"));
        }
      }
    }

    private final class ToServer extends AbstractOutHandler {
      @Override
      public void onPull() {
        if (!ending) {
          pull(fromNetwork);
        }
      }

      @Override
      public void onDownstreamFinish(Throwable cause) {
        if (!ending) {
          cancel(fromNetwork, cause);
        }
      }
    }

    private final class FromServer extends AbstractInHandler {
      @Override
      public void onPush() {
        ByteString bytes = grab(fromServer);
        Violation violation = look(bytes, /* received= */ false);
        push(toNetwork, bytes);
        if (violation != null) {
          end(violation);
        }
      }

      @Override
      public void onUpstreamFinish() {
        complete(toNetwork);
      }

      @Override
      public void onUpstreamFailure(Throwable failure) {
        fail(toNetwork, failure);
      }
    }

    private final class ToNetwork extends AbstractOutHandler {
      @Override
      public void onPull() {
        if (greeted) {
          pull(fromServer);
        }
      }

      @Override
      public void onDownstreamFinish(Throwable cause) {
        if (ending) {
          completeStage();
        } else {
          cancel(fromServer, cause);
        }
      }
    }
  }
}
