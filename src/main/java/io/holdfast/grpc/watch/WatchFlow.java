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
 * One stream of watches as a part of an Akka stream. It holds one message at most: the next request
 * is taken when the last one's answer has gone out, and a watch is asked when the client wants
 * more.
 */
final class WatchFlow extends GraphStage<FlowShape<WatchRequest, WatchResponse>> {

  private static final String SILENCE = "silence";
  private static final String ROOM = "room";

  /** So often it looks whether others have read what they were told. */
  private static final Duration LOOK_FOR_ROOM = Duration.ofMillis(100);

  private final Inlet<WatchRequest> in = Inlet.create("watch.requests");
  private final Outlet<WatchResponse> out = Outlet.create("watch.answers");
  private final FlowShape<WatchRequest, WatchResponse> shape = FlowShape.of(in, out);
  private final Function<Runnable, WatchTalk> talks;
  private final Duration lookEvery;

  /**
   * One for each stream.
   *
   * @param talks begins a talk, which calls what it is given when it has something to say again
   * @param lookEvery how often it looks for watches that were silent for long
   */
  WatchFlow(Function<Runnable, WatchTalk> talks, Duration lookEvery) {
    this.talks = talks;
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

    private final AsyncCallback<Done> woken = createAsyncCallback(done -> speak());
    private final WatchTalk talk = talks.apply(() -> woken.invoke(Done.getInstance()));
    private @Nullable WatchResponse answer;

    Logic() {
      super(shape);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              try {
                answer = talk.handle(grab(in)).orElse(null);
                speak();
              } catch (StatusRuntimeException e) {
                failStage(e); // the client's fault, and nothing for the node's log
              }
            }

            @Override
            public void onUpstreamFinish() {
              speak(); // a client that has nothing more to ask may go on reading
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              speak();
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
      talk.close();
    }

    @Override
    public void onTimer(Object key) {
      if (key.equals(SILENCE)) {
        talk.markSilence();
      }
      speak();
    }

    private Optional<WatchResponse> told() {
      if (!talk.mayTell()) {
        scheduleOnce(ROOM, LOOK_FOR_ROOM);
        return Optional.empty();
      }
      return talk.next();
    }

    private void speak() {
      if (isAvailable(out)) {
        Optional<WatchResponse> next = answer == null ? told() : Optional.of(answer);
        answer = null;
        next.ifPresent(message -> push(out, message));
      }
      if (answer != null) {
        return;
      }
      if (talk.isOver() || (isClosed(in) && talk.isEmpty())) {
        completeStage();
      } else if (!isClosed(in) && !hasBeenPulled(in)) {
        pull(in);
      }
    }
  }
}
