package io.holdfast.grpc.guard;

import akka.Done;
import akka.stream.Attributes;
import akka.stream.FlowShape;
import akka.stream.Inlet;
import akka.stream.Outlet;
import akka.stream.stage.AbstractInHandler;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.AsyncCallback;
import akka.stream.stage.GraphStage;
import akka.stream.stage.GraphStageLogic;
import akka.stream.stage.TimerGraphStageLogic;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Asks for the next message of an answer only while there is room for it. */
public final class WhileRoom<T> extends GraphStage<FlowShape<T, T>> {

  /** So often it looks whether others have left room. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Inlet<T> in = Inlet.create("room.in");
  private final Outlet<T> out = Outlet.create("room.out");
  private final FlowShape<T, T> shape = FlowShape.of(in, out);
  private final Predicate<Runnable> room;
  private final Consumer<T> passed;

  /**
   * A part of an answer's stream.
   *
   * @param room whether there is room; if not, what it is given may be run when there is
   * @param passed is given each message on its way
   */
  WhileRoom(Predicate<Runnable> room, Consumer<T> passed) {
    this.room = room;
    this.passed = passed;
  }

  /** While there is room among these bytes. */
  public static <T> WhileRoom<T> of(Quota bytes, Caller caller) {
    return new WhileRoom<>(
        unused -> bytes.full(caller, 0, /* reserve= */ 0) == null, message -> {});
  }

  @Override
  public FlowShape<T, T> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private final class Logic extends TimerGraphStageLogic {

    private final AsyncCallback<Done> woken = createAsyncCallback(done -> ask());
    private final Runnable later = this::wake;

    Logic() {
      super(shape);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              T message = grab(in);
              passed.accept(message);
              push(out, message);
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              ask();
            }
          });
    }

    @Override
    public void onTimer(Object key) {
      ask();
    }

    private void wake() {
      woken.invoke(Done.getInstance());
    }

    private void ask() {
      if (!isAvailable(out) || hasBeenPulled(in) || isClosed(in)) {
        return;
      } else if (room.test(later)) {
        pull(in);
      } else {
        scheduleOnce(LOOK, LOOK);
      }
    }
  }
}
