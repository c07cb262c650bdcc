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
import io.holdfast.grpc.frame.CheckedRequests;
import io.holdfast.grpc.frame.Deframer;
import io.holdfast.grpc.frame.Deframing;
import io.holdfast.grpc.frame.Failures;
import io.holdfast.grpc.frame.SessionIntake;
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.guard.WhileRoom;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.LockService;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Serves the calls that are streams of many messages: as Akka gRPC would, but it knows by which
 * connection they come, bounds how many each may have, and how large their messages are.
 */
final class StreamHandler implements Function<HttpRequest, CompletionStage<HttpResponse>> {

  private static final long serialVersionUID = 1;

  private static final String PREFIX = "/" + LockService.name + "/";

  /** Answers a stream, of whoever asks. */
  @FunctionalInterface
  private interface Serving<I, O> {
    Source<O, NotUsed> serve(Source<I, NotUsed> requests, Caller caller);
  }

  private record Call<O>(ProtobufSerializer<O> writes, Serving<ByteString, O> serving) {}

  private final transient ActorSystem<?> system;
  private final transient Failures failures;
  private final transient Quota streams;
  private final transient Quota bytes;
  private final transient Quota unread;
  private final transient Map<String, Call<?>> calls;

  /**
   * The streams of an endpoint.
   *
   * @param streams how many there may be
   * @param bytes what may be held of messages that are not whole
   * @param frames what may be held of sessions' frames that are
   * @param unread what may be held of answers
   * @param health whose one stream is one, too
   */
  StreamHandler(
      ActorSystem<?> system,
      Failures failures,
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
            new Call<>(
                LockService.Serializers.SessionResponseSerializer,
                (data, caller) -> {
                  SessionIntake intake = new SessionIntake(frames, unread, caller);
                  return endpoint.session(
                      read(
                          data.via(Deframing.ofSession(bytes, intake)),
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
    Call<?> call = calls.get(request.getUri().path());
    return CompletableFuture.completedFuture(
        call == null
            ? HttpResponse.create().withStatus(StatusCodes.NOT_FOUND)
            : answer(request, call));
  }

  /** A call whose messages are read one after the other. */
  private <I, O> Call<O> call(
      ProtobufSerializer<I> reads, ProtobufSerializer<O> writes, Serving<I, O> serving) {
    return new Call<>(
        writes,
        (data, caller) ->
            serving.serve(read(data.via(Deframing.ofMany(bytes, caller)), reads), caller));
  }

  private static <I> Source<I, NotUsed> read(
      Source<ByteString, NotUsed> frames, ProtobufSerializer<I> reads) {
    return frames.map(frame -> reads.deserialize(frame.drop(Deframer.PREFIX)));
  }

  private <O> HttpResponse answer(HttpRequest request, Call<O> call) {
    Caller caller = request.getAttribute(Caller.KEY).orElseGet(Caller::unknown);
    Source<ByteString, NotUsed> data =
        request.entity().getDataBytes().mapMaterializedValue(unused -> NotUsed.getInstance());
    return GrpcMarshalling.marshalStream(
        bounded(call.serving(), data, caller),
        call.writes(),
        CheckedRequests.writer(),
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

  /** A stream that somebody else serves: it is one, too. */
  CompletionStage<HttpResponse> others(
      HttpRequest request, Function<HttpRequest, CompletionStage<HttpResponse>> served)
      throws Exception {
    Caller caller = request.getAttribute(Caller.KEY).orElseGet(Caller::unknown);
    Quota.Full full = streams.full(caller, 0, /* reserve= */ 0);
    if (full != null) {
      Deframing.drop(request, bytes, caller, system);
      return CompletableFuture.completedFuture(failures.answer(tooMany(full)));
    }
    return served.apply(request).thenApply(answer -> counted(answer, caller));
  }

  private HttpResponse counted(HttpResponse answer, Caller caller) {
    if (!(answer.entity() instanceof Chunked whole)) {
      return answer;
    }
    Source<ChunkStreamPart, Object> parts =
        Source.lazySource(() -> counted(whole, caller))
            .mapMaterializedValue(unused -> (Object) unused);
    return answer.withEntity((ResponseEntity) whole.copy(whole.contentType(), parts.asScala()));
  }

  private Source<ChunkStreamPart, Object> counted(Chunked whole, Caller caller) {
    Quota.Full full = streams.take(caller, 1);
    if (full != null) {
      Chunked refusal = (Chunked) failures.answer(StatusMapping.error(tooMany(full))).entity();
      return refusal.chunks().asJava();
    }
    return whole
        .chunks()
        .asJava()
        .via(WhileRoom.<ChunkStreamPart>of(unread, caller))
        .watchTermination(
            (unused, ended) -> ended.whenComplete((done, failure) -> streams.give(caller, 1)));
  }

  /* Counted once it runs: what never does has no end either. */
  private <I, O> Source<O, NotUsed> bounded(
      Serving<I, O> serving, Source<I, NotUsed> requests, Caller caller) {
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
