package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.Event;
import io.holdfast.v1.LockServiceGrpc.LockServiceStub;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchProgress;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One watch on a stream of its own, and all that came of it. */
final class WatchUnderTest implements AutoCloseable {

  private final StreamObserver<WatchRequest> requests;
  private final List<WatchResponse> responses = new ArrayList<>();
  private final List<Long> arrivals = new ArrayList<>();
  private @Nullable Throwable failure;

  private WatchUnderTest(LockServiceStub node, WatchCreate create) {
    requests =
        node.watch(
            new StreamObserver<>() {
              @Override
              public void onNext(WatchResponse response) {
                arrived(response);
              }

              @Override
              public void onError(Throwable error) {
                failed(error);
              }

              @Override
              public void onCompleted() {}
            });
    requests.onNext(WatchRequest.newBuilder().setCreate(create).build());
  }

  /** A watch that has begun. */
  static WatchUnderTest created(LockServiceStub node, WatchCreate.Builder create) {
    WatchUnderTest watch = new WatchUnderTest(node, create.build());
    watch.await("the watch begins", responses -> !responses.isEmpty());
    return watch;
  }

  private synchronized void arrived(WatchResponse response) {
    responses.add(response);
    arrivals.add(System.nanoTime());
  }

  private synchronized void failed(Throwable error) {
    failure = error;
  }

  synchronized boolean hasFailed() {
    return failure != null;
  }

  synchronized List<WatchResponse> responses() {
    return List.copyOf(responses);
  }

  /** The times when the events came, each by the local clock in nanoseconds. */
  synchronized long arrivedAt(Event event) {
    for (int i = 0; i < responses.size(); i++) {
      if (responses.get(i).getEventsList().contains(event)) {
        return arrivals.get(i);
      }
    }
    throw new AssertionError("did not arrive: " + event);
  }

  List<Event> events() {
    return responses().stream().flatMap(response -> response.getEventsList().stream()).toList();
  }

  /** All events so far, once there are so many. */
  List<Event> awaitEvents(int count) {
    await(
        count + " events",
        all -> all.stream().mapToInt(WatchResponse::getEventsCount).sum() >= count);
    return events();
  }

  /** Asks how far it has come. */
  void progress(long watch) {
    requests.onNext(
        WatchRequest.newBuilder()
            .setProgress(WatchProgress.newBuilder().setWatchId(watch))
            .build());
  }

  /** The position from which another watch goes on. */
  ByteString resumeToken() {
    List<WatchResponse> all = responses();
    return all.get(all.size() - 1).getResumeToken();
  }

  List<WatchResponse> await(String what, Predicate<List<WatchResponse>> wanted) {
    return eventually(what, ClusterUnderTest.WITHIN, this::responses, wanted);
  }

  @Override
  public void close() {
    if (!hasFailed()) {
      requests.onCompleted();
    }
  }
}
