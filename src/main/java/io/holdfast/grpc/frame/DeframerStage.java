package io.holdfast.grpc.frame;

import akka.actor.typed.ActorSystem;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpRequest;
import akka.stream.Attributes;
import akka.stream.FlowShape;
import akka.stream.Inlet;
import akka.stream.Outlet;
import akka.stream.javadsl.Sink;
import akka.stream.stage.AbstractInHandler;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.GraphStage;
import akka.stream.stage.GraphStageLogic;
import akka.stream.stage.TimerGraphStageLogic;
import akka.util.ByteString;
import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An Akka stage that splits the bytes of a call into frames by a {@link Deframer}. The bytes of an
 * incomplete frame count against a quota, and the frame has a deadline.
 *
 * <p>After the downstream has cancelled, the stage reads and discards the rest of the call for a
 * while: a server that stops reading a call resets it, and the client might not see the answer.
 */
public final class DeframerStage extends GraphStage<FlowShape<ByteString, ByteString>> {

  /** The time for a frame to become complete; then it is refused. */
  static final Duration WHOLE_WITHIN = Duration.ofSeconds(10);

  /** The interval of checks for room for a frame. */
  private static final Duration LOOK_FOR_ROOM = Duration.ofMillis(100);

  private static final Duration READ_ON = Duration.ofSeconds(10);
  private static final int MAX_READ_ON = 1 << 20;

  private final Inlet<ByteString> in = Inlet.create("deframing.bytes");
  private final Outlet<ByteString> out = Outlet.create("deframing.frames");
  private final FlowShape<ByteString, ByteString> shape = FlowShape.of(in, out);
  private final Quota bytes;
  private final ClientConnection caller;
  private final boolean single;
  private final @Nullable SessionIntake intake;

  private DeframerStage(
      Quota bytes, ClientConnection caller, boolean single, @Nullable SessionIntake intake) {
    this.bytes = bytes;
    this.caller = caller;
    this.single = single;
    this.intake = intake;
  }

  /** Creates the stage of a streaming call: each frame as soon as it is complete. */
  public static DeframerStage ofMany(Quota bytes, ClientConnection caller) {
    return new DeframerStage(bytes, caller, /* single= */ false, null);
  }

  /** Creates the stage of a session stream: each frame waits until the intake admits it. */
  public static DeframerStage ofSession(Quota bytes, SessionIntake intake) {
    return new DeframerStage(bytes, intake.caller(), /* single= */ false, intake);
  }

  /** Creates the stage of a unary call: its only frame, after the end of the call. */
  static DeframerStage ofOne(Quota bytes, ClientConnection caller) {
    return new DeframerStage(bytes, caller, /* single= */ true, null);
  }

  /** Reads and discards the messages of a refused call. */
  public static void drop(
      HttpRequest request, Quota bytes, ClientConnection caller, ActorSystem<?> system) {
    if (!(request.entity() instanceof HttpEntity.Strict)) {
      var unused =
          request
              .entity()
              .getDataBytes()
              .via(ofMany(bytes, caller))
              .runWith(Sink.cancelled(), system);
    }
  }

  @Override
  public FlowShape<ByteString, ByteString> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes inherited) {
    return new Logic();
  }

  private enum Timer {
    WHOLE,
    ROOM,
    READ_ON
  }

  private final class Logic extends TimerGraphStageLogic {

    private final Deframer deframer = new Deframer();
    private @Nullable ByteString only;
    private @Nullable ByteString waiting;
    private int counted;
    private long frames;
    private long framesAtTimer = -1; // no timer is set
    private boolean readsOn;
    private int readOn;

    Logic() {
      super(shape);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              ByteString more = grab(in);
              if (readsOn) {
                readOn(more.size());
              } else {
                deframer.give(more);
                speak();
              }
            }

            @Override
            public void onUpstreamFinish() {
              if (readsOn) {
                completeStage();
              } else if (isAvailable(out) || (!single && deframer.isEmpty())) {
                speak();
              }
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              if (readsOn) {
                completeStage();
              } else {
                failStage(failure);
              }
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              speak();
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              readOn();
            }
          });
    }

    @Override
    public void preStart() {
      if (single) {
        look();
      }
    }

    @Override
    public void postStop() {
      bytes.give(caller, counted);
    }

    private void speak() {
      try {
        ByteString frame = next();
        if (frame != null && intake != null && !intake.letsIn(frame.size())) {
          waiting = frame;
          scheduleOnce(Timer.ROOM, LOOK_FOR_ROOM);
        } else if (frame != null) {
          frames++;
          push(out, frame);
          if (single) {
            completeStage();
          }
        } else if (isClosed(in)) {
          deframer.end();
          completeStage();
        } else {
          pull(in);
        }
        count();
      } catch (StatusRuntimeException e) {
        refuse(e);
      }
    }

    private @Nullable ByteString next() {
      ByteString waited = waiting;
      waiting = null;
      if (waited != null) {
        return waited;
      }
      return single ? nextOnly() : deframer.next();
    }

    private @Nullable ByteString nextOnly() {
      ByteString frame = deframer.next();
      if (frame != null && only == null) {
        only = frame;
        frame = deframer.next();
      }
      if (frame != null) {
        throw Deframer.invalid("a call of one message has several");
      } else if (!isClosed(in)) {
        return null;
      }
      deframer.end();
      if (only == null) {
        throw Deframer.invalid("a call of one message has none");
      }
      return only;
    }

    private void count() {
      int now = deframer.held() + size(only) + size(waiting);
      if (now > counted) {
        Quota.Full full = bytes.take(caller, now - counted);
        if (full != null) {
          throw StatusMapping.error(
              Reason.REASON_OVERLOADED,
              "the %s has [%d] bytes of messages that are not whole, the maximum"
                  .formatted(full.of(), full.most()));
        }
        if (framesAtTimer < 0) {
          look();
        }
      } else if (now < counted) {
        bytes.give(caller, counted - now);
      }
      counted = now;
    }

    private static int size(@Nullable ByteString held) {
      return held == null ? 0 : held.size();
    }

    @Override
    public void onTimer(Object timer) {
      if (timer == Timer.READ_ON) {
        completeStage();
      } else if (timer == Timer.ROOM) {
        if (waiting != null) {
          speak();
        }
      } else if (!readsOn && hasBeenPulled(in) && isBegun() && framesAtTimer == frames) {
        refuse(
            StatusMapping.error(
                Reason.REASON_DEADLINE_EXCEEDED,
                "a message was not whole after [" + WHOLE_WITHIN.toSeconds() + "] s"));
      } else if (isBegun()) {
        look();
      } else {
        framesAtTimer = -1;
      }
    }

    private boolean isBegun() {
      return single || counted > 0;
    }

    private void look() {
      framesAtTimer = frames;
      scheduleOnce(Timer.WHOLE, WHOLE_WITHIN);
    }

    private void refuse(StatusRuntimeException refusal) {
      fail(out, refusal);
      readOn();
    }

    private void readOn() {
      bytes.give(caller, counted);
      counted = 0;
      only = null;
      waiting = null;
      deframer.clear();
      readsOn = true;
      scheduleOnce(Timer.READ_ON, READ_ON);
      if (isClosed(in)) {
        completeStage();
      } else if (!hasBeenPulled(in)) {
        pull(in);
      }
    }

    private void readOn(int more) {
      readOn += more;
      if (readOn > MAX_READ_ON) {
        completeStage();
      } else {
        pull(in);
      }
    }
  }
}
