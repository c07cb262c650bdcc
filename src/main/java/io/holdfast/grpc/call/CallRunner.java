package io.holdfast.grpc.call;

import com.google.protobuf.MessageLite;
import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.hosting.LockQueries;
import io.holdfast.sharding.LockShards;
import io.holdfast.v1.Header;
import io.holdfast.v1.Reason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs unary calls, and translates every failure into a gRPC status. */
public final class CallRunner {

  private static final Logger log = LoggerFactory.getLogger(CallRunner.class);

  private final ServingState serving;
  private final Supplier<Header> header;

  /**
   * Creates the runner of a node.
   *
   * @param header supplies the header of answers: the cluster, the member and the revision
   */
  public CallRunner(ServingState serving, Supplier<Header> header) {
    this.serving = serving;
    this.header = header;
  }

  /** Runs a call that a node answers only while it may serve requests. */
  public <T> CompletionStage<T> answer(MessageLite request, Supplier<CompletionStage<T>> call) {
    return run(
        request,
        () -> {
          requireServing();
          return call.get();
        });
  }

  /** Runs a read. A serializable one is answered even while the node may not serve requests. */
  public <T> CompletionStage<T> read(
      MessageLite request, boolean serializable, Supplier<CompletionStage<T>> call) {
    return serializable ? run(request, call) : answer(request, call);
  }

  private <T> CompletionStage<T> run(MessageLite request, Supplier<CompletionStage<T>> call) {
    CompletionStage<T> answer;
    try {
      RequestReader.requireSize(request.getSerializedSize());
      answer = call.get();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(StatusMapping.by(header.get(), status(failure))));
  }

  public void requireServing() {
    if (!serving.isOn()) {
      throw serving.isLeaving()
          ? StatusMapping.error(Reason.REASON_LEAVING, "this node is shutting down")
          : StatusMapping.error(
              Reason.REASON_NO_MAJORITY,
              "this node has not heard from a majority for too long, and serves no requests");
    }
  }

  public boolean isLeaving() {
    return serving.isLeaving();
  }

  public static StatusRuntimeException status(@Nullable Throwable failure) {
    Throwable cause =
        failure == null
            ? new IllegalStateException("neither an answer nor a failure")
            : failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    if (cause instanceof StatusRuntimeException refused) {
      return refused;
    } else if (cause instanceof TimeoutException) {
      return StatusMapping.error(
          Reason.REASON_INDETERMINATE, "no answer came in time: the outcome is unknown");
    } else if (cause instanceof LockQueries.NoMajority none) {
      return StatusMapping.error(Reason.REASON_NO_MAJORITY, String.valueOf(none.getMessage()));
    } else if (cause instanceof LockShards.Overloaded overloaded) {
      return StatusMapping.error(Reason.REASON_OVERLOADED, String.valueOf(overloaded.getMessage()));
    }
    log.error("A request failed by a fault of this node.", cause);
    return StatusMapping.error(Reason.REASON_INTERNAL, "a fault in the server; its log says more");
  }

  static <T> CompletionStage<T> unserved(String method) {
    return CompletableFuture.failedFuture(notServed(method));
  }

  static StatusRuntimeException notServed(String method) {
    return StatusMapping.error(
        Reason.REASON_NOT_SUPPORTED, method + " is not served by this version");
  }
}
