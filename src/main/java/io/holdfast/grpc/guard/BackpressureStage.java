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

/** An Akka stage that pulls the next message of an answer only while there is room for it. */
public final class BackpressureStage<T> extends GraphStage<FlowShape<T, T>> {

  /** The interval of checks for room. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Inlet<T> in = Inlet.create("room.in");
  private final Outlet<T> out = Outlet.create("room.out");
  private final FlowShape<T, T> shape = FlowShape.of(in, out);
  private final Predicate<Runnable> room;
  private final Consumer<T> passed;

  /**
   * Creates the stage of one answer.
   *
   * @param room true if there is room; if not, it may run the given task when there is
   * @param passed receives each message that passes
   */
  BackpressureStage(Predicate<Runnable> room, Consumer<T> passed) {
    this.room = room;
    this.passed = passed;
  }

  /** Creates a stage that pulls while this quota has room. */
  public static <T> BackpressureStage<T> of(Quota bytes, ClientConnection caller) {
    return new BackpressureStage<>(
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
