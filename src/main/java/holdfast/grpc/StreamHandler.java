package holdfast.grpc;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.grpc.ProtobufSerializer;
import akka.grpc.javadsl.GrpcExceptionHandler;
import akka.grpc.javadsl.GrpcMarshalling;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.japi.function.Function;
import akka.stream.SystemMaterializer;
import akka.stream.javadsl.Source;
import holdfast.grpc.guard.Caller;
import holdfast.v1.LockService;
import holdfast.v1.Reason;
import holdfast.v1.Refusal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Serves the calls that are streams of many messages: as Akka gRPC would, but it knows by which
 * connection they come, and bounds how many each may have.
 */
final class StreamHandler implements Function<HttpRequest, CompletionStage<HttpResponse>> {

  private static final long serialVersionUID = 1;

  private static final String PREFIX = "/" + LockService.name + "/";

  /** Answers a stream, of whoever asks. */
  @FunctionalInterface
  private interface Serving<I, O> {
    Source<O, NotUsed> serve(Source<I, NotUsed> requests, Caller caller);
  }

  private record Call<I, O>(
      ProtobufSerializer<I> reads, ProtobufSerializer<O> writes, Serving<I, O> serving) {}

  private final transient ActorSystem<?> system;
  private final int maxStreams;
  private final transient Map<String, Call<?, ?>> calls;

  /**
   * The streams of an endpoint.
   *
   * @param maxStreams how many one connection may have
   */
  StreamHandler(ActorSystem<?> system, int maxStreams, LockEndpoint endpoint) {
    this.system = system;
    this.maxStreams = maxStreams;
    this.calls =
        Map.of(
            PREFIX + "Session",
            new Call<>(
                LockService.Serializers.SessionRequestSerializer,
                LockService.Serializers.SessionResponseSerializer,
                endpoint::session),
            PREFIX + "Watch",
            new Call<>(
                LockService.Serializers.WatchRequestSerializer,
                LockService.Serializers.WatchResponseSerializer,
                (requests, caller) -> endpoint.watch(requests)),
            PREFIX + "LeaseKeepAlive",
            new Call<>(
                LockService.Serializers.LeaseKeepAliveRequestSerializer,
                LockService.Serializers.LeaseKeepAliveResponseSerializer,
                (requests, caller) -> endpoint.leaseKeepAlive(requests)));
  }

  /** Whether it serves this request. */
  boolean isFor(HttpRequest request) {
    return calls.containsKey(request.getUri().path());
  }

  @Override
  public CompletionStage<HttpResponse> apply(HttpRequest request) {
    Call<?, ?> call = calls.get(request.getUri().path());
    return call == null ? unsupported() : answer(request, call);
  }

  private <I, O> CompletionStage<HttpResponse> answer(HttpRequest request, Call<I, O> call) {
    Caller caller = request.getAttribute(Caller.KEY).orElse(Caller.UNKNOWN);
    @Nullable CompletionStage<HttpResponse> answer =
        GrpcMarshalling.<HttpResponse>negotiated(
                request,
                (reader, writer) ->
                    GrpcMarshalling.unmarshalStream(
                            request.entity(),
                            call.reads(),
                            SystemMaterializer.get(system).materializer(),
                            reader)
                        .thenApply(
                            requests ->
                                GrpcMarshalling.marshalStream(
                                    bounded(call.serving(), requests, caller),
                                    call.writes(),
                                    writer,
                                    system,
                                    GrpcExceptionHandler.defaultMapper()))
                        .exceptionally(
                            failure ->
                                GrpcExceptionHandler.standard(
                                    failure, GrpcExceptionHandler.defaultMapper(), writer, system)))
            .orElse(null);
    return answer == null ? unsupported() : answer;
  }

  private static CompletionStage<HttpResponse> unsupported() {
    return CompletableFuture.completedFuture(
        HttpResponse.create().withStatus(StatusCodes.UNSUPPORTED_MEDIA_TYPE));
  }

  /* Counted once it runs: what never does has no end either. */
  private <I, O> Source<O, NotUsed> bounded(
      Serving<I, O> serving, Source<I, NotUsed> requests, Caller caller) {
    AtomicInteger streams = caller.streams();
    return Source.lazySource(
            () -> {
              if (streams.incrementAndGet() > maxStreams) {
                streams.decrementAndGet();
                return Source.<O>failed(
                    StatusMapping.error(
                        Refusal.newBuilder()
                            .setReason(Reason.REASON_TOO_MANY_STREAMS)
                            .setMessage(
                                "the connection has [" + maxStreams + "] streams, the maximum")
                            .setMaximum(maxStreams)));
              }
              return serving
                  .serve(requests, caller)
                  .watchTermination(
                      (notUsed, ended) -> {
                        var unused =
                            ended.whenComplete((done, failure) -> streams.decrementAndGet());
                        return notUsed;
                      });
            })
        .mapMaterializedValue(materialized -> NotUsed.getInstance());
  }
}
