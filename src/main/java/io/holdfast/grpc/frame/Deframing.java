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
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a call, by a {@link Deframer}, as a part of an Akka stream. What it holds of a
 * frame that is not whole is counted, and the frame has its time to become whole.
 *
 * <p>When nobody wants more frames, the rest of the call is read for a while and thrown away: who
 * stops reading a call resets it, and its client might not see the answer.
 */
public final class Deframing extends GraphStage<FlowShape<ByteString, ByteString>> {

  /** A frame that has begun is whole after it, or refused. */
  static final Duration WHOLE_WITHIN = Duration.ofSeconds(10);

  /** So often it looks for room for a frame. */
  private static final Duration LOOK_FOR_ROOM = Duration.ofMillis(100);

  private static final Duration READ_ON = Duration.ofSeconds(10);
  private static final int MAX_READ_ON = 1 << 20;

  private final Inlet<ByteString> in = Inlet.create("deframing.bytes");
  private final Outlet<ByteString> out = Outlet.create("deframing.frames");
  private final FlowShape<ByteString, ByteString> shape = FlowShape.of(in, out);
  private final Quota bytes;
  private final Caller caller;
  private final boolean single;
  private final @Nullable SessionIntake intake;

  private Deframing(Quota bytes, Caller caller, boolean single, @Nullable SessionIntake intake) {
    this.bytes = bytes;
    this.caller = caller;
    this.single = single;
    this.intake = intake;
  }

  /** The frames of a call of many messages, one by one. */
  public static Deframing ofMany(Quota bytes, Caller caller) {
    return new Deframing(bytes, caller, /* single= */ false, null);
  }

  /** The frames of a session, one by one: each waits here until it is let in. */
  public static Deframing ofSession(Quota bytes, SessionIntake intake) {
    return new Deframing(bytes, intake.caller(), /* single= */ false, intake);
  }

  /** The frame of a call of one message, when the call has ended. */
  static Deframing ofOne(Quota bytes, Caller caller) {
    return new Deframing(bytes, caller, /* single= */ true, null);
  }

  /** Nobody wants the messages of a call that is refused. */
  public static void drop(HttpRequest request, Quota bytes, Caller caller, ActorSystem<?> system) {
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
