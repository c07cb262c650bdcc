package holdfast.grpc;

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
import io.grpc.protobuf.StatusProto;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.CompletionException;

/**
 * The statuses of calls that fail before, or beside, what serves them. What a client sends, and how
 * it leaves, is nothing for the node's log.
 */
final class Failures {

  private Failures() {}

  /** As Akka gRPC takes it. */
  static Function<ActorSystem, Function<Throwable, Trailers>> mapper() {
    return system -> {
      Function<Throwable, Trailers> others = GrpcExceptionHandler.defaultMapper().apply(system);
      return failure -> others.apply(known(failure));
    };
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

  /**
   * The answer that is nothing but this error, to be sent as often as needed: it costs a node that
   * has too much to do hardly anything.
   */
  static HttpResponse answer(StatusRuntimeException error) {
    com.google.rpc.Status status = Objects.requireNonNull(StatusProto.fromThrowable(error));
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
