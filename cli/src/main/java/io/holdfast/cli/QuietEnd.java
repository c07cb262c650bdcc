package io.holdfast.cli;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has the connection's thread stand still between two short calls, so that the process can end at
 * once: a JVM that ends waits 300 ms for threads which it finds in native code, as one is that
 * waits for the network. Not for calls that last: nothing else moves on the connection meanwhile.
 */
final class QuietEnd implements ClientInterceptor {

  private static final String THREADS = "io.netty.eventLoopThreads";

  /** If the process does not end after all, the thread goes on after this time. */
  private static final long STILL_MS = 200;

  private final Phaser calls = new Phaser(1);

  /** Has all connections of this process share one thread; to be called before there is one. */
  static void prepare() {
    if (System.getProperty(THREADS) == null) {
      System.setProperty(THREADS, "1");
    }
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    calls.arrive(); // the next call is here: go on
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                int phase = calls.getPhase();
                super.onClose(status, trailers);
                standStill(phase);
              }
            },
            headers);
      }
    };
  }

  private void standStill(int phase) {
    try {
      calls.awaitAdvanceInterruptibly(phase, STILL_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      // The process has not ended: its next call may take its time.
    }
  }
}
