package io.holdfast.client;

import io.grpc.CallCredentials;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a session to one node. The session's thread opens, writes and ends it, and gets its
 * frames.
 */
final class SessionStream implements ClientResponseObserver<SessionRequest, SessionResponse> {

  private final SessionLoop loop;
  private final int node;
  private final long number;
  private final Endpoint endpoint;
  private @Nullable ClientCallStreamObserver<SessionRequest> call;

  /** Only of the session's thread: its node has answered. */
  boolean isOpened;

  SessionStream(SessionLoop loop, int node, long number, Endpoint endpoint) {
    this.loop = loop;
    this.node = node;
    this.number = number;
    this.endpoint = endpoint;
  }

  int node() {
    return node;
  }

  long number() {
    return number;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  void open(Channel channel, @Nullable CallCredentials credentials, SessionRequest first) {
    LockServiceGrpc.LockServiceStub stub = LockServiceGrpc.newStub(channel);
    var unused = (credentials == null ? stub : stub.withCallCredentials(credentials)).session(this);
    send(first);
  }

  void send(SessionRequest frame) {
    ClientCallStreamObserver<SessionRequest> open = call;
    if (open != null) {
      open.onNext(frame);
    }
  }

  void end(String why) {
    ClientCallStreamObserver<SessionRequest> open = call;
    if (open != null) {
      open.cancel(why, null);
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<SessionRequest> stream) {
    call = stream;
  }

  @Override
  public void onNext(SessionResponse frame) {
    loop.onFrame(this, frame);
  }

  @Override
  public void onError(Throwable failure) {
    loop.onEnded(
        this, FailureReader.refusal(failure).orElse(null), FailureReader.describe(failure));
  }

  @Override
  public void onCompleted() {
    loop.onEnded(this, null, "the node has ended the stream");
  }
}
