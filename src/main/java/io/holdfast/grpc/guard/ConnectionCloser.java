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

/**
 * The Akka stage next to the network. When one direction of a connection has ended, it waits a
 * moment for the other, and then resets the connection. So no layer above it, not even TLS, can
 * leave a connection half open.
 */
final class ConnectionCloser
    extends GraphStage<BidiShape<ByteString, ByteString, ByteString, ByteString>> {

  private final Inlet<ByteString> fromAbove = Inlet.create("end.fromAbove");
  private final Outlet<ByteString> toNetwork = Outlet.create("end.toNetwork");
  private final Inlet<ByteString> fromNetwork = Inlet.create("end.fromNetwork");
  private final Outlet<ByteString> toAbove = Outlet.create("end.toAbove");

  private final Runnable over;

  /**
   * Creates the stage of one connection.
   *
   * @param over runs when the connection is closed or reset
   */
  ConnectionCloser(Runnable over) {
    this.over = over;
  }

  @Override
  public BidiShape<ByteString, ByteString, ByteString, ByteString> shape() {
    return new BidiShape<>(fromAbove, toNetwork, fromNetwork, toAbove);
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private final class Logic extends TimerGraphStageLogic {

    Logic() {
      super(shape());
      setHandler(
          fromAbove,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              push(toNetwork, grab(fromAbove));
            }

            @Override
            public void onUpstreamFinish() {
              close(isClosed(fromNetwork));
            }
          });
      setHandler(
          toNetwork,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              if (!isClosed(fromAbove)) {
                pull(fromAbove);
              }
            }
          });
      setHandler(
          fromNetwork,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              if (isClosed(toAbove)) {
                grab(fromNetwork);
              } else {
                push(toAbove, grab(fromNetwork));
              }
            }

            @Override
            public void onUpstreamFinish() {
              complete(toAbove);
              close(isClosed(fromAbove));
            }
          });
      setHandler(
          toAbove,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              if (!isClosed(fromNetwork)) {
                pull(fromNetwork);
              }
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              close(/* bothWays= */ false);
            }
          });
    }

    private void close(boolean bothWays) {
      if (bothWays) {
        onTimer(this);
      } else if (!isTimerActive(this)) {
        scheduleOnce(this, FrameGuard.CLOSE_WITHIN);
      }
    }

    @Override
    public void onTimer(Object timer) {
      failStage(new StreamTcpException("the connection is over"));
    }

    @Override
    public void postStop() {
      over.run();
    }
  }
}
