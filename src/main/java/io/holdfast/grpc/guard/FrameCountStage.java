package io.holdfast.grpc.guard;

import akka.http.impl.engine.http2.FrameEvent;
import akka.stream.Attributes;
import akka.stream.BidiShape;
import akka.stream.Inlet;
import akka.stream.Outlet;
import akka.stream.stage.AbstractInHandler;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.GraphStage;
import akka.stream.stage.GraphStageLogic;

/**
 * The Akka stage of a connection below Akka's handling of HTTP/2 streams. It reports each frame to
 * {@link UnreadAnswers}, and lowers the settings of the client.
 */
final class FrameCountStage
    extends GraphStage<BidiShape<FrameEvent, FrameEvent, FrameEvent, FrameEvent>> {

  private final Inlet<FrameEvent> fromAbove = Inlet.create("count.fromAbove");
  private final Outlet<FrameEvent> toClient = Outlet.create("count.toClient");
  private final Inlet<FrameEvent> fromClient = Inlet.create("count.fromClient");
  private final Outlet<FrameEvent> toAbove = Outlet.create("count.toAbove");
  private final UnreadAnswers unread;

  FrameCountStage(UnreadAnswers unread) {
    this.unread = unread;
  }

  @Override
  public BidiShape<FrameEvent, FrameEvent, FrameEvent, FrameEvent> shape() {
    return new BidiShape<>(fromAbove, toClient, fromClient, toAbove);
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private final class Logic extends GraphStageLogic {

    Logic() {
      super(shape());
      setHandler(
          fromAbove,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              FrameEvent frame = grab(fromAbove);
              unread.sent(frame);
              push(toClient, frame);
            }

            @Override
            public void onUpstreamFinish() {
              complete(toClient);
            }
          });
      setHandler(
          toClient,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              pull(fromAbove);
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              cancel(fromAbove, cause);
            }
          });
      setHandler(
          fromClient,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              FrameEvent frame = grab(fromClient);
              unread.received(frame);
              push(toAbove, HttpLayers.lowered(frame));
            }

            @Override
            public void onUpstreamFinish() {
              complete(toAbove);
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              fail(toAbove, failure); // the layer above sends the reason before it ends
            }
          });
      setHandler(
          toAbove,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              pull(fromClient);
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              cancel(fromClient, cause);
            }
          });
    }

    @Override
    public void postStop() {
      unread.end();
    }
  }
}
