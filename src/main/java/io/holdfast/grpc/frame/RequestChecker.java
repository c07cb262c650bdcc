package io.holdfast.grpc.frame;

import akka.actor.typed.ActorSystem;
import akka.grpc.GrpcProtocol.GrpcProtocolWriter;
import akka.grpc.internal.GrpcProtocolNative;
import akka.grpc.internal.Identity$;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import akka.japi.function.Function;
import akka.stream.SystemMaterializer;
import akka.stream.javadsl.Sink;
import akka.util.ByteString;
import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Checks every request before its messages are decoded: the content type, the compression, the size
 * of messages and the room for the answer. A unary request is read to its end first: a server that
 * answers early resets the request, and the client sees the reset instead of the answer.
 */
public final class RequestChecker implements Function<HttpRequest, CompletionStage<HttpResponse>> {

  private static final long serialVersionUID = 1;

  private static final Set<String> TYPES =
      Set.of("grpc", "grpc+proto"); // grpc-web is another protocol
  private static final String REFLECTION = "/ServerReflectionInfo"; // of any version
  private static final String ENCODING = "grpc-encoding";
  private static final String IDENTITY = "identity";

  /** The reserve for answers to holders and waiters, in percent of the quota of unread answers. */
  private static final int RESERVE = 50;

  private final transient ActorSystem<?> system;
  private final transient FailureResponses failures;
  private final transient Quota bytes;
  private final transient Quota unread;
  private final transient Predicate<HttpRequest> goesFirst;
  private final transient Predicate<HttpRequest> areMany;
  private final transient Function<HttpRequest, CompletionStage<HttpResponse>> streams;
  private final transient Function<HttpRequest, CompletionStage<HttpResponse>> calls;

  /**
   * Creates the checker of a port.
   *
   * @param bytes the quota of bytes of incomplete messages
   * @param unread the quota of bytes of unread answers
   * @param goesFirst true for a request with priority
   * @param areMany true for a streaming request
   * @param streams serves streaming requests, and checks their messages one by one
   * @param calls serves checked requests
   */
  public RequestChecker(
      ActorSystem<?> system,
      FailureResponses failures,
      Quota bytes,
      Quota unread,
      Predicate<HttpRequest> goesFirst,
      Predicate<HttpRequest> areMany,
      Function<HttpRequest, CompletionStage<HttpResponse>> streams,
      Function<HttpRequest, CompletionStage<HttpResponse>> calls) {
    this.system = system;
    this.failures = failures;
    this.bytes = bytes;
    this.unread = unread;
    this.goesFirst = goesFirst;
    this.areMany = areMany;
    this.streams = streams;
    this.calls = calls;
  }

  /** True if the request is for server reflection. */
  public static boolean isReflection(HttpRequest request) {
    return request.getUri().path().endsWith(REFLECTION);
  }

  @Override
  public CompletionStage<HttpResponse> apply(HttpRequest request) throws Exception {
    ClientConnection caller =
        request.getAttribute(ClientConnection.KEY).orElseGet(ClientConnection::unknown);
    if (!TYPES.contains(request.entity().getContentType().mediaType().subType())) {
      return refused(
          request, caller, HttpResponse.create().withStatus(StatusCodes.UNSUPPORTED_MEDIA_TYPE));
    } else if (isCompressed(request)) {
      return refused(request, caller, compressed());
    } else if (areMany.test(request)) {
      return streams.apply(request);
    }
    Quota.Full full = unread.full(caller, 0, goesFirst.test(request) ? RESERVE : 0);
    if (full != null) {
      return refused(request, caller, failures.answer(noRoom(full)));
    }
    return isReflection(request)
        ? calls.apply(
            request.withEntity(
                HttpEntities.create(
                    request.entity().getContentType(),
                    request.entity().getDataBytes().via(DeframerStage.ofMany(bytes, caller)))))
        : whole(request, caller);
  }

  private CompletionStage<HttpResponse> whole(HttpRequest request, ClientConnection caller)
      throws Exception {
    if (request.entity() instanceof HttpEntity.Strict strict) {
      Deframer deframer = new Deframer();
      deframer.give(strict.getData());
      try {
        ByteString unused = deframer.only();
      } catch (StatusRuntimeException e) {
        return CompletableFuture.completedFuture(failures.answer(e));
      }
      return calls.apply(request);
    }
    return request
        .entity()
        .getDataBytes()
        .via(DeframerStage.ofOne(bytes, caller))
        .runWith(Sink.head(), SystemMaterializer.get(system).materializer())
        .handle(
            (frame, failure) ->
                failure == null
                    ? answer(
                        request.withEntity(
                            HttpEntities.create(request.entity().getContentType(), frame)))
                    : CompletableFuture.completedFuture(failures.answer(failure)))
        .thenCompose(answer -> answer);
  }

  private CompletionStage<HttpResponse> answer(HttpRequest request) {
    try {
      return calls.apply(request);
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static boolean isCompressed(HttpRequest request) {
    Optional<String> encoding = request.getHeader(ENCODING).map(header -> header.value());
    return encoding.isPresent() && !encoding.get().equals(IDENTITY);
  }

  private CompletionStage<HttpResponse> refused(
      HttpRequest request, ClientConnection caller, HttpResponse answer) {
    DeframerStage.drop(request, bytes, caller, system);
    return CompletableFuture.completedFuture(answer);
  }

  private HttpResponse compressed() {
    HttpResponse refused =
        failures.answer(
            StatusMapping.error(
                Reason.REASON_NOT_SUPPORTED, "compressed messages are not served here"));
    return refused.addHeader(RawHeader.create("grpc-accept-encoding", IDENTITY));
  }

  /** Returns the refusal of a call that has no room for its answer. */
  public static Refusal.Builder noRoom(Quota.Full full) {
    return Refusal.newBuilder()
        .setReason(Reason.REASON_OVERLOADED)
        .setMessage(
            "the %s has [%d] bytes of answers that are not read, the maximum"
                .formatted(full.of(), full.most()))
        .setMaximum(full.most());
  }

  /**
   * Returns the writer of answers. They are not compressed: they are small, and compression costs
   * processor time.
   */
  public static GrpcProtocolWriter writer() {
    return GrpcProtocolNative.newWriter(Identity$.MODULE$);
  }
}
