package io.holdfast.grpc.translate;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.Effect;
import io.holdfast.v1.Header;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;

/**
 * The mapping of each {@link Reason} of an error to its gRPC code. No other class uses gRPC codes
 * for refusals.
 */
public final class StatusMapping {

  private StatusMapping() {}

  /** Returns the code of an error's reason. A reason that is only in answers has none. */
  public static Code code(Reason reason) {
    return switch (reason) {
      case REASON_KEY_INVALID,
          REASON_OUT_OF_BOUND,
          REASON_FIELD_REQUIRED,
          REASON_FIELD_NOT_ALLOWED,
          REASON_UNKNOWN_ENUM_VALUE,
          REASON_FRAME_INVALID,
          REASON_CURSOR_INVALID ->
          Code.INVALID_ARGUMENT;
      case REASON_NOT_SUPPORTED -> Code.UNIMPLEMENTED;
      case REASON_UNAUTHENTICATED -> Code.UNAUTHENTICATED;
      case REASON_PERMISSION_DENIED -> Code.PERMISSION_DENIED;
      case REASON_WRONG_CLUSTER,
          REASON_NOT_HOLDER,
          REASON_MODE_MISMATCH,
          REASON_PERMIT_LIMIT_MISMATCH,
          REASON_REQUEST_ID_REUSED,
          REASON_REQUEST_FORGOTTEN,
          REASON_MEMBER_NOT_ELIGIBLE,
          REASON_NOT_CAUGHT_UP ->
          Code.FAILED_PRECONDITION;
      case REASON_CANCELLED -> Code.CANCELLED;
      case REASON_REQUEST_NOT_FOUND,
          REASON_LEASE_NOT_FOUND,
          REASON_SESSION_NOT_FOUND,
          REASON_WATCH_NOT_FOUND,
          REASON_MEMBER_NOT_FOUND ->
          Code.NOT_FOUND;
      case REASON_LEASE_EXISTS, REASON_WATCH_EXISTS, REASON_MEMBER_EXISTS -> Code.ALREADY_EXISTS;
      case REASON_SESSION_REPLACED, REASON_NOT_TAKEN_OVER -> Code.ABORTED;
      case REASON_COMPACTED -> Code.OUT_OF_RANGE;
      case REASON_MESSAGE_TOO_LARGE,
          REASON_QUEUE_FULL,
          REASON_TOO_MANY_HOLDERS,
          REASON_TOO_MANY_KEYS,
          REASON_TOO_MANY_LEASES,
          REASON_TOO_MANY_WATCHES,
          REASON_TOO_MANY_OPEN_OPERATIONS,
          REASON_TOO_MANY_STREAMS,
          REASON_TOO_MANY_REQUEST_IDS,
          REASON_OVERLOADED,
          REASON_STATE_FULL,
          REASON_SLOW_CONSUMER,
          REASON_TOO_MANY_MEMBERS ->
          Code.RESOURCE_EXHAUSTED;
      case REASON_NO_MAJORITY,
          REASON_OWNER_MOVING,
          REASON_NOT_READY,
          REASON_LEAVING,
          REASON_NOT_LEADER,
          REASON_CHANGE_PENDING ->
          Code.UNAVAILABLE;
      case REASON_INDETERMINATE -> Code.UNKNOWN;
      case REASON_INTERNAL -> Code.INTERNAL;
      case REASON_DEADLINE_EXCEEDED -> Code.DEADLINE_EXCEEDED;
      case REASON_UNSPECIFIED,
          REASON_LOCKED,
          REASON_WAIT_TIMED_OUT,
          REASON_LEASE_ENDED,
          UNRECOGNIZED ->
          throw new IllegalArgumentException("[" + reason + "] is no reason of an error");
    };
  }

  /** Returns the effect of a request that was refused for this reason. */
  public static Effect effect(Reason reason) {
    return switch (reason) {
      case REASON_INDETERMINATE, REASON_INTERNAL, REASON_REQUEST_FORGOTTEN -> Effect.EFFECT_UNKNOWN;
      default -> Effect.EFFECT_NONE;
    };
  }

  /** Returns the refusal in an error of this class. */
  public static Refusal refusal(StatusRuntimeException error) {
    com.google.rpc.Status status = StatusProto.fromThrowable(error);
    try {
      if (status != null && status.getDetailsCount() > 0) {
        return status.getDetails(0).unpack(Refusal.class);
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("an error of another make", e);
    }
    throw new IllegalArgumentException("an error of another make", error);
  }

  /** Creates the error to fail a call with. */
  public static StatusRuntimeException error(Reason reason, String message) {
    return error(Refusal.newBuilder().setReason(reason).setMessage(message));
  }

  /** Adds the header to an error. */
  public static StatusRuntimeException by(Header header, StatusRuntimeException error) {
    return error(refusal(error).toBuilder().setHeader(header));
  }

  /** Creates the error to fail a call with; code and effect follow from the reason. */
  public static StatusRuntimeException error(Refusal.Builder refusal) {
    return StatusProto.toStatusRuntimeException(status(refusal));
  }

  /** Creates the status of a failed call, as on the wire. */
  public static com.google.rpc.Status status(Refusal.Builder refusal) {
    Code code = code(refusal.getReason());
    refusal.setCode(code.getNumber()).setEffect(effect(refusal.getReason()));
    return com.google.rpc.Status.newBuilder()
        .setCode(code.getNumber())
        .setMessage(refusal.getMessage())
        .addDetails(Any.pack(refusal.build()))
        .build();
  }
}
