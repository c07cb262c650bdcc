package io.holdfast.grpc;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.grpc.ProtobufSerializer;
import akka.grpc.javadsl.GrpcMarshalling;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.ResponseEntity;
import akka.http.javadsl.model.StatusCodes;
import akka.http.scaladsl.model.HttpEntity.ChunkStreamPart;
import akka.http.scaladsl.model.HttpEntity.Chunked;
import akka.japi.function.Function;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.grpc.health.v1.Health;
import io.holdfast.grpc.frame.Deframer;
import io.holdfast.grpc.frame.DeframerStage;
import io.holdfast.grpc.frame.FailureResponses;
import io.holdfast.grpc.frame.RequestChecker;
import io.holdfast.grpc.frame.SessionIntake;
import io.holdfast.grpc.guard.BackpressureStage;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.LockService;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Serves the streaming calls. It replaces the handler of Akka gRPC because it needs the client's
 * connection, and bounds the number of streams and the size of their messages.
 */
final class StreamHandler implements Function<HttpRequest, CompletionStage<HttpResponse>> {

  private static final long serialVersionUID = 1;

  private static final String PREFIX = "/" + LockService.name + "/";

  /** Serves a stream of requests of one client. */
  @FunctionalInterface
  private interface StreamService<I, O> {
    Source<O, NotUsed> serve(Source<I, NotUsed> requests, ClientConnection caller);
  }

  private record StreamCall<O>(
      ProtobufSerializer<O> writes, StreamService<ByteString, O> serving) {}

  private final transient ActorSystem<?> system;
  private final transient FailureResponses failures;
  private final transient Quota streams;
  private final transient Quota bytes;
  private final transient Quota unread;
  private final transient Map<String, StreamCall<?>> calls;

  /**
   * Creates the handler of an endpoint.
   *
   * @param streams the quota of streams
   * @param bytes the quota of bytes of incomplete messages
   * @param frames the quota of bytes of complete session frames
   * @param unread the quota of bytes of unread answers
   * @param health serves the stream of health changes
   */
  StreamHandler(
      ActorSystem<?> system,
      FailureResponses failures,
      Quota streams,
      Quota bytes,
      Quota frames,
      Quota unread,
      LockEndpoint endpoint,
      Health health) {
    this.failures = failures;
    this.system = system;
    this.streams = streams;
    this.bytes = bytes;
    this.unread = unread;
    this.calls =
        Map.of(
            PREFIX + "Session",
            new StreamCall<>(
                LockService.Serializers.SessionResponseSerializer,
                (data, caller) -> {
                  SessionIntake intake = new SessionIntake(frames, unread, caller);
                  return endpoint.session(
                      read(
                          data.via(DeframerStage.ofSession(bytes, intake)),
                          LockService.Serializers.SessionRequestSerializer),
                      intake);
                }),
            PREFIX + "Watch",
            call(
                LockService.Serializers.WatchRequestSerializer,
                LockService.Serializers.WatchResponseSerializer,
                endpoint::watch),
            PREFIX + "LeaseKeepAlive",
            call(
                LockService.Serializers.LeaseKeepAliveRequestSerializer,
                LockService.Serializers.LeaseKeepAliveResponseSerializer,
                (requests, caller) -> endpoint.leaseKeepAlive(requests)),
            "/" + Health.name + "/Watch",
            call(
                Health.Serializers.HealthCheckRequestSerializer,
                Health.Serializers.HealthCheckResponseSerializer,
                (requests, caller) -> requests.take(1).flatMapConcat(health::watch)));
  }

  /** True if it serves this request. */
  boolean isFor(HttpRequest request) {
    return calls.containsKey(request.getUri().path());
  }

  @Override
  public CompletionStage<HttpResponse> apply(HttpRequest request) {
    StreamCall<?> call = calls.get(request.getUri().path());
    return CompletableFuture.completedFuture(
        call == null
            ? HttpResponse.create().withStatus(StatusCodes.NOT_FOUND)
            : answer(request, call));
  }

  /** Creates a call whose messages are read one after the other. */
  private <I, O> StreamCall<O> call(
      ProtobufSerializer<I> reads, ProtobufSerializer<O> writes, StreamService<I, O> serving) {
    return new StreamCall<>(
        writes,
        (data, caller) ->
            serving.serve(read(data.via(DeframerStage.ofMany(bytes, caller)), reads), caller));
  }

  private static <I> Source<I, NotUsed> read(
      Source<ByteString, NotUsed> frames, ProtobufSerializer<I> reads) {
    return frames.map(frame -> reads.deserialize(frame.drop(Deframer.PREFIX)));
  }

  private <O> HttpResponse answer(HttpRequest request, StreamCall<O> call) {
    ClientConnection caller =
        request.getAttribute(ClientConnection.KEY).orElseGet(ClientConnection::unknown);
    Source<ByteString, NotUsed> data =
        request.entity().getDataBytes().mapMaterializedValue(unused -> NotUsed.getInstance());
    return GrpcMarshalling.marshalStream(
        bounded(call.serving(), data, caller),
        call.writes(),
        RequestChecker.writer(),
        system,
        failures.mapper());
  }

  private static Refusal.Builder tooMany(Quota.Full full) {
    return Refusal.newBuilder()
        .setReason(Reason.REASON_TOO_MANY_STREAMS)
        .setMessage(
            "the %s has [%d] streams, the maximum by holdfast.sessions.max-streams or holdfast.grpc.max-streams-per-connection"
                .formatted(full.of(), full.most()))
        .setMaximum(full.most());
  }

  /** Serves a stream by another handler, and counts it. */
  CompletionStage<HttpResponse> others(
      HttpRequest request, Function<HttpRequest, CompletionStage<HttpResponse>> served)
      throws Exception {
    ClientConnection caller =
        request.getAttribute(ClientConnection.KEY).orElseGet(ClientConnection::unknown);
    Quota.Full full = streams.full(caller, 0, /* reserve= */ 0);
    if (full != null) {
      DeframerStage.drop(request, bytes, caller, system);
      return CompletableFuture.completedFuture(failures.answer(tooMany(full)));
    }
    return served.apply(request).thenApply(answer -> counted(answer, caller));
  }

  private HttpResponse counted(HttpResponse answer, ClientConnection caller) {
    if (!(answer.entity() instanceof Chunked whole)) {
      return answer;
    }
    Source<ChunkStreamPart, Object> parts =
        Source.lazySource(() -> counted(whole, caller))
            .mapMaterializedValue(unused -> (Object) unused);
    return answer.withEntity((ResponseEntity) whole.copy(whole.contentType(), parts.asScala()));
  }

  private Source<ChunkStreamPart, Object> counted(Chunked whole, ClientConnection caller) {
    Quota.Full full = streams.take(caller, 1);
    if (full != null) {
      Chunked refusal = (Chunked) failures.answer(StatusMapping.error(tooMany(full))).entity();
      return refusal.chunks().asJava();
    }
    return whole
        .chunks()
        .asJava()
        .via(BackpressureStage.<ChunkStreamPart>of(unread, caller))
        .watchTermination(
            (unused, ended) -> ended.whenComplete((done, failure) -> streams.give(caller, 1)));
  }

  /* A stream counts from its materialization: one that never runs does not end either. */
  private <I, O> Source<O, NotUsed> bounded(
      StreamService<I, O> serving, Source<I, NotUsed> requests, ClientConnection caller) {
    return Source.lazySource(
            () -> {
              Quota.Full full = streams.take(caller, 1);
              if (full != null) {
                return Source.<O>failed(StatusMapping.error(tooMany(full)));
              }
              return serving
                  .serve(requests, caller)
                  .watchTermination(
                      (notUsed, ended) -> {
                        var unused = ended.whenComplete((done, failure) -> streams.give(caller, 1));
                        return notUsed;
                      });
            })
        .mapMaterializedValue(materialized -> NotUsed.getInstance());
  }
}
