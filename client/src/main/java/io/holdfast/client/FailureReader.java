package io.holdfast.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.holdfast.client.session.Failure;
import io.holdfast.v1.Effect;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Translates failed calls into exceptions of the client. No other class reads gRPC codes. */
final class FailureReader {

  private FailureReader() {}

  /**
   * Translates the failure of a call.
   *
   * @param harmless true if the request certainly had no effect: it was never sent, or is a read
   */
  static HoldfastException read(Throwable failure, boolean harmless) {
    Optional<Refusal> refusal = refusal(failure);
    if (refusal.isPresent() && refusal.get().getEffect() == Effect.EFFECT_NONE) {
      return refused(refusal.get(), failure);
    }
    String message = refusal.map(Refusal::getMessage).orElseGet(() -> describe(failure));
    // An error without a refusal does not come from the server's rules. Its code does not show
    // the effect of the request, except UNIMPLEMENTED.
    return harmless || isUnknownThere(failure)
        ? new Unavailable(message, failure)
        : new Indeterminate(message, failure);
  }

  /** True if the server does not know the call, and so has not started it. */
  static boolean isUnknownThere(Throwable failure) {
    return Status.fromThrowable(failure).getCode() == Status.Code.UNIMPLEMENTED;
  }

  /** Translates the failure of an operation in a session. */
  static HoldfastException read(Failure failure) {
    if (failure instanceof Failure.Refused refused) {
      return refused(refused.refusal(), null);
    } else if (failure instanceof Failure.Unavailable unavailable) {
      return new Unavailable(unavailable.message(), null);
    } else if (failure instanceof Failure.Indeterminate unknown) {
      return new Indeterminate(unknown.message(), null);
    }
    throw new IllegalStateException("unknown failure [" + failure + "]");
  }

  private static HoldfastException refused(Refusal refusal, @Nullable Throwable failure) {
    boolean notTakenOn =
        refusal.getCode() == Status.Code.UNAVAILABLE.value()
            || refusal.getReason() == Reason.REASON_DEADLINE_EXCEEDED;
    return notTakenOn
        ? new Unavailable(refusal.getMessage(), failure)
        : new RequestRefused(refusal.getReason(), refusal.getMessage(), failure);
  }

  static Optional<Refusal> refusal(Throwable failure) {
    com.google.rpc.Status status = StatusProto.fromThrowable(failure);
    if (status == null) {
      return Optional.empty();
    }
    return status.getDetailsList().stream()
        .filter(detail -> detail.is(Refusal.class))
        .findFirst()
        .flatMap(FailureReader::unpack);
  }

  private static Optional<Refusal> unpack(Any detail) {
    try {
      return Optional.of(detail.unpack(Refusal.class));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  static String describe(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    Throwable cause = status.getCause();
    String description = status.getDescription();
    return status.getCode()
        + (description == null ? "" : ": " + description)
        + (cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage());
  }
}
