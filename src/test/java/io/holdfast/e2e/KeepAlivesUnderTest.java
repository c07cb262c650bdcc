package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import io.grpc.stub.StreamObserver;
import io.holdfast.v1.LeaseKeepAliveRequest;
import io.holdfast.v1.LeaseKeepAliveResponse;
import io.holdfast.v1.LockServiceGrpc.LockServiceStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A stream of keepalives, with the answer to each. */
final class KeepAlivesUnderTest implements AutoCloseable {

  private final StreamObserver<LeaseKeepAliveRequest> requests;
  private final List<LeaseKeepAliveResponse> responses = new ArrayList<>();
  private @Nullable Throwable failure;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "keep-alive");
            thread.setDaemon(true);
            return thread;
          });
  private long lastNumber;

  KeepAlivesUnderTest(LockServiceStub node) {
    requests =
        node.leaseKeepAlive(
            new StreamObserver<>() {
              @Override
              public void onNext(LeaseKeepAliveResponse response) {
                arrived(response);
              }

              @Override
              public void onError(Throwable error) {
                failed(error);
              }

              @Override
              public void onCompleted() {}
            });
  }

  private synchronized void arrived(LeaseKeepAliveResponse response) {
    responses.add(response);
  }

  private synchronized void failed(Throwable error) {
    failure = error;
  }

  private synchronized Optional<LeaseKeepAliveResponse> answerTo(long number) {
    if (failure != null) {
      throw new AssertionError("the stream has ended", failure);
    }
    return responses.stream().filter(response -> response.getNumber() == number).findFirst();
  }

  private synchronized Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** Sends one keepalive, and returns its answer. */
  LeaseKeepAliveResponse keepAlive(long lease, long incarnation) {
    long number = ++lastNumber;
    send(lease, incarnation, number);
    return eventually(
            "answer to " + number,
            ClusterUnderTest.WITHIN,
            () -> answerTo(number),
            Optional::isPresent)
        .orElseThrow();
  }

  /** Sends keepalives until it is closed, and ignores the answers. */
  void keepAliveEvery(Duration pause, long lease) {
    var unused =
        timer.scheduleAtFixedRate(
            () -> send(lease, 0, Long.MAX_VALUE), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  void send(long lease, long incarnation, long number) {
    onNext(
        LeaseKeepAliveRequest.newBuilder()
            .setLeaseId(lease)
            .setIncarnation(incarnation)
            .setNumber(number)
            .build());
  }

  private synchronized void onNext(LeaseKeepAliveRequest request) {
    requests.onNext(request);
  }

  /** With what the stream ends. */
  Throwable awaitFailure() {
    return eventually(
            "the stream fails", ClusterUnderTest.WITHIN, this::failure, Optional::isPresent)
        .orElseThrow();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    try { // what it has begun to send it sends before the stream ends
      if (!timer.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new AssertionError("a keepalive does not end");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (failure().isEmpty()) {
      requests.onCompleted();
    }
  }
}
