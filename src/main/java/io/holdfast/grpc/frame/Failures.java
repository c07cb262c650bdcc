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
 * The statuses of calls that fail before, or beside, what serves them. What a client sends, and how
 * it leaves, is nothing for the node's log.
 */
public final class Failures {

  private final akka.actor.typed.ActorSystem<?> system;
  private final Supplier<Header> header;

  /**
   * Those of a node.
   *
   * @param header who refuses, and of what state
   */
  public Failures(akka.actor.typed.ActorSystem<?> system, Supplier<Header> header) {
    this.system = system;
    this.header = header;
  }

  /** As Akka gRPC takes it. */
  public Function<ActorSystem, Function<Throwable, Trailers>> mapper() {
    return classic -> {
      Function<Throwable, Trailers> others = GrpcExceptionHandler.defaultMapper().apply(classic);
      return failure -> others.apply(signed(known(failure)));
    };
  }

  /** The answer to a call that has failed. */
  public HttpResponse answer(Throwable failure) {
    return GrpcExceptionHandler.standard(
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure,
        mapper(),
        CheckedRequests.writer(),
        system);
  }

  /** Says who refuses, in a refusal that does not. */
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
      return Optional.empty(); // of another make
    }
  }

  private static Throwable known(Throwable failure) {
    if (failure instanceof CompletionException && failure.getCause() != null) {
      return known(failure.getCause());
    } else if (failure instanceof InvalidProtocolBufferException) {
      return Deframer.invalid("a message cannot be decoded");
    } else if (hasLeft(failure)) {
      return Deframer.invalid("the call was ended by its client"); // which does not read it
    }
    return failure;
  }

  /** The answer that is nothing but a refusal: it costs a node that has too much to do little. */
  public HttpResponse answer(Refusal.Builder refusal) {
    com.google.rpc.Status status = StatusMapping.status(refusal.setHeader(header.get()));
    return HttpResponse.create()
        .withEntity(
            HttpEntities.create(
                CheckedRequests.writer().contentType(), ByteString.emptyByteString()))
        .addHeader(RawHeader.create("grpc-status", Integer.toString(status.getCode())))
        .addHeader(RawHeader.create("grpc-message", status.getMessage())) // which is plain ASCII
        .addHeader(
            RawHeader.create(
                "grpc-status-details-bin",
                Base64.getEncoder().withoutPadding().encodeToString(status.toByteArray())));
  }

  /** Whether its client has reset the call, or its connection broke. */
  static boolean hasLeft(Throwable failure) {
    return failure instanceof PeerClosedStreamException || failure instanceof StreamTcpException;
  }
}
