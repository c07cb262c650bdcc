package io.holdfast.grpc.watch;

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
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The Akka stage of one stream of watches. It holds at most one message: it takes the next request
 * after it has sent the answer to the last one, and polls the watches when the client has demand.
 */
final class WatchFlow extends GraphStage<FlowShape<WatchRequest, WatchResponse>> {

  private static final String SILENCE = "silence";
  private static final String ROOM = "room";

  /** The interval of checks for room while the node holds too many unread answers. */
  private static final Duration LOOK_FOR_ROOM = Duration.ofMillis(100);

  private final Inlet<WatchRequest> in = Inlet.create("watch.requests");
  private final Outlet<WatchResponse> out = Outlet.create("watch.answers");
  private final FlowShape<WatchRequest, WatchResponse> shape = FlowShape.of(in, out);
  private final Function<Runnable, WatchStreamHandler> handlers;
  private final Duration lookEvery;

  /**
   * Creates the stage of one stream.
   *
   * @param handlers creates a handler, which runs the given task when it has a new message
   * @param lookEvery the interval of checks for silent watches
   */
  WatchFlow(Function<Runnable, WatchStreamHandler> handlers, Duration lookEvery) {
    this.handlers = handlers;
    this.lookEvery = lookEvery;
  }

  @Override
  public FlowShape<WatchRequest, WatchResponse> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes inherited) {
    return new Logic();
  }

  private final class Logic extends TimerGraphStageLogic {

    private final AsyncCallback<Done> woken = createAsyncCallback(done -> send());
    private final WatchStreamHandler handler =
        handlers.apply(() -> woken.invoke(Done.getInstance()));
    private @Nullable WatchResponse answer;

    Logic() {
      super(shape);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              try {
                answer = handler.handle(grab(in)).orElse(null);
                send();
              } catch (StatusRuntimeException e) {
                failStage(e); // the client's fault, which is not logged
              }
            }

            @Override
            public void onUpstreamFinish() {
              send(); // a client that sends no more requests may read on
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              send();
            }
          });
    }

    @Override
    public void preStart() {
      scheduleWithFixedDelay(SILENCE, lookEvery, lookEvery);
      pull(in);
    }

    @Override
    public void postStop() {
      handler.close();
    }

    @Override
    public void onTimer(Object key) {
      if (key.equals(SILENCE)) {
        handler.requestMarks();
      }
      send();
    }

    private Optional<WatchResponse> nextMessage() {
      if (!handler.maySend()) {
        scheduleOnce(ROOM, LOOK_FOR_ROOM);
        return Optional.empty();
      }
      return handler.next();
    }

    private void send() {
      if (isAvailable(out)) {
        Optional<WatchResponse> next = answer == null ? nextMessage() : Optional.of(answer);
        answer = null;
        next.ifPresent(message -> push(out, message));
      }
      if (answer != null) {
        return;
      }
      if (handler.isOver() || (isClosed(in) && handler.isEmpty())) {
        completeStage();
      } else if (!isClosed(in) && !hasBeenPulled(in)) {
        pull(in);
      }
    }
  }
}
