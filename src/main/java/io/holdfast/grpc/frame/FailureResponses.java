package io.holdfast.grpc.frame;

import akka.actor.ActorSystem;
import akka.grpc.Trailers;
import akka.grpc.javadsl.GrpcExceptionHandler;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.headers.RawHeader;
import akka.http.scaladsl.model.http2.PeerClosedStreamException;
import akka.japi.Function;
import akka.stream.StreamTcpException;
import akka.util.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Header;
import io.holdfast.v1.Refusal;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * The responses to calls that fail outside of their handlers. Errors and disconnections of clients
 * are not logged.
 */
public final class FailureResponses {

  private final akka.actor.typed.ActorSystem<?> system;
  private final Supplier<Header> header;

  /**
   * Creates the responses of a port.
   *
   * @param header supplies the header of refusals: the cluster, the member and the revision
   */
  public FailureResponses(akka.actor.typed.ActorSystem<?> system, Supplier<Header> header) {
    this.system = system;
    this.header = header;
  }

  /** Returns the mapping of failures in the form of Akka gRPC. */
  public Function<ActorSystem, Function<Throwable, Trailers>> mapper() {
    return classic -> {
      Function<Throwable, Trailers> others = GrpcExceptionHandler.defaultMapper().apply(classic);
      return failure -> others.apply(signed(known(failure)));
    };
  }

  /** Returns the response to a failed call. */
  public HttpResponse answer(Throwable failure) {
    return GrpcExceptionHandler.standard(
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure,
        mapper(),
        RequestChecker.writer(),
        system);
  }

  /** Adds the header to a refusal that has none. */
  private Throwable signed(Throwable failure) {
    Refusal refusal =
        failure instanceof StatusRuntimeException error ? refusal(error).orElse(null) : null;
    return refusal == null || refusal.hasHeader()
        ? failure
        : StatusMapping.error(refusal.toBuilder().setHeader(header.get()));
  }

  private static Optional<Refusal> refusal(StatusRuntimeException error) {
    try {
      return Optional.of(StatusMapping.refusal(error));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not one of ours
    }
  }

  private static Throwable known(Throwable failure) {
    if (failure instanceof CompletionException && failure.getCause() != null) {
      return known(failure.getCause());
    } else if (failure instanceof InvalidProtocolBufferException) {
      return Deframer.invalid("a message cannot be decoded");
    } else if (hasLeft(failure)) {
      return Deframer.invalid("the call was ended by its client"); // the client does not read it
    }
    return failure;
  }

  /** Returns a response that is only a refusal: cheap for an overloaded node. */
  public HttpResponse answer(Refusal.Builder refusal) {
    com.google.rpc.Status status = StatusMapping.status(refusal.setHeader(header.get()));
    return HttpResponse.create()
        .withEntity(
            HttpEntities.create(
                RequestChecker.writer().contentType(), ByteString.emptyByteString()))
        .addHeader(RawHeader.create("grpc-status", Integer.toString(status.getCode())))
        .addHeader(RawHeader.create("grpc-message", status.getMessage())) // which is plain ASCII
        .addHeader(
            RawHeader.create(
                "grpc-status-details-bin",
                Base64.getEncoder().withoutPadding().encodeToString(status.toByteArray())));
  }

  /** True if the client has reset the call or its connection broke. */
  static boolean hasLeft(Throwable failure) {
    return failure instanceof PeerClosedStreamException || failure instanceof StreamTcpException;
  }
}
