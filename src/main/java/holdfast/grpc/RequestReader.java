package holdfast.grpc;

import holdfast.lock.ClientId;
import holdfast.lock.FencingToken;
import holdfast.lock.HolderId;
import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import holdfast.lock.OutOfBound;
import holdfast.lock.Patience;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import holdfast.v1.LockMode;
import holdfast.v1.LockRequest;
import holdfast.v1.Reason;
import holdfast.v1.Refusal;
import io.grpc.StatusRuntimeException;
import java.util.function.Supplier;

/**
 * Translates requests into the locks' own values. What cannot be translated is refused with a typed
 * error that names the field.
 */
final class RequestReader {

  static final int MAX_WAITER_LIMIT = 1_000;
  static final int MAX_MESSAGE_BYTES = 65_536;

  /** Makes the ids of requests that came without. */
  private final Supplier<String> freshIds;

  RequestReader(Supplier<String> freshIds) {
    this.freshIds = freshIds;
  }

  static void requireSize(int bytes) {
    if (bytes > MAX_MESSAGE_BYTES) {
      throw StatusMapping.error(
          Refusal.newBuilder()
              .setReason(Reason.REASON_MESSAGE_TOO_LARGE)
              .setMessage(
                  "the message of [%d] bytes exceeds the maximum [%d]"
                      .formatted(bytes, MAX_MESSAGE_BYTES))
              .setMaximum(MAX_MESSAGE_BYTES));
    }
  }

  static LockKey key(String key) {
    return read(Reason.REASON_KEY_INVALID, "key", () -> new LockKey(key));
  }

  static FencingToken token(long token) {
    if (token == 0) {
      throw required("fencing_token");
    }
    return read(Reason.REASON_OUT_OF_BOUND, "fencing_token", () -> new FencingToken(token));
  }

  static int waiterLimit(int limit) {
    if (limit < 0 || limit > MAX_WAITER_LIMIT) { // a uint32 above the int range reads as negative
      throw StatusMapping.error(
          refusal(
                  Reason.REASON_OUT_OF_BOUND,
                  "waiter_limit",
                  "waiter_limit [%s] exceeds the maximum [%d]"
                      .formatted(Integer.toUnsignedString(limit), MAX_WAITER_LIMIT))
              .setMaximum(MAX_WAITER_LIMIT));
    }
    return limit;
  }

  LockCommand.Acquire acquire(LockRequest request) {
    refuseUnserved(request);
    ClientId client =
        read(Reason.REASON_OUT_OF_BOUND, "client_id", () -> new ClientId(request.getClientId()));
    String id = request.getRequestId().isEmpty() ? freshIds.get() : request.getRequestId();
    return new LockCommand.Acquire(
        read(Reason.REASON_OUT_OF_BOUND, "request_id", () -> new RequestId(client, id)),
        holder(client, request.getHolderId()),
        ttl(request),
        read(Reason.REASON_OUT_OF_BOUND, "timeout_ms", () -> new Patience(request.getTimeoutMs())));
  }

  private static HolderId holder(ClientId client, String holder) {
    if (holder.isEmpty()) {
      throw required("holder_id");
    }
    return read(Reason.REASON_OUT_OF_BOUND, "holder_id", () -> new HolderId(client, holder));
  }

  private static Ttl ttl(LockRequest request) {
    return switch (request.getLifeCase()) {
      case TTL_MS -> read(Reason.REASON_OUT_OF_BOUND, "ttl_ms", () -> new Ttl(request.getTtlMs()));
      case LEASE_ID -> throw unserved("lease_id", "shared leases");
      case LIFE_NOT_SET -> throw required("ttl_ms");
    };
  }

  /** What the contract has and this version does not serve is refused, never passed over. */
  private static void refuseUnserved(LockRequest request) {
    if (request.getMode() == LockMode.UNRECOGNIZED) {
      throw StatusMapping.error(
          refusal(
              Reason.REASON_UNKNOWN_ENUM_VALUE,
              "mode",
              "mode [" + request.getModeValue() + "] is not known"));
    } else if (request.getMode() != LockMode.LOCK_MODE_UNSPECIFIED
        && request.getMode() != LockMode.LOCK_MODE_EXCLUSIVE) {
      throw unserved("mode", "modes other than LOCK_MODE_EXCLUSIVE");
    } else if (request.getReenter()) {
      throw unserved("reenter", "counted reentry");
    } else if (request.getPermits() != 0) {
      throw unserved("permits", "permits");
    } else if (request.getPermitLimit() != 0) {
      throw unserved("permit_limit", "permits");
    } else if (!request.getMetadata().isEmpty()) {
      throw unserved("metadata", "metadata");
    } else if (request.getLeaseIncarnation() != 0) {
      throw unserved("lease_incarnation", "shared leases");
    }
  }

  private static <T> T read(Reason reason, String field, Supplier<T> value) {
    try {
      return value.get();
    } catch (OutOfBound e) {
      Refusal.Builder refusal = refusal(reason, field, String.valueOf(e.getMessage()));
      e.minimum().ifPresent(refusal::setMinimum);
      e.maximum().ifPresent(refusal::setMaximum);
      throw StatusMapping.error(refusal);
    }
  }

  private static StatusRuntimeException required(String field) {
    return StatusMapping.error(
        refusal(Reason.REASON_FIELD_REQUIRED, field, field + " is required"));
  }

  private static StatusRuntimeException unserved(String field, String what) {
    return StatusMapping.error(
        refusal(Reason.REASON_NOT_SUPPORTED, field, what + " are not served by this version"));
  }

  static StatusRuntimeException notAllowed(String field, String message) {
    return StatusMapping.error(refusal(Reason.REASON_FIELD_NOT_ALLOWED, field, message));
  }

  private static Refusal.Builder refusal(Reason reason, String field, String message) {
    return Refusal.newBuilder().setReason(reason).setField(field).setMessage(message);
  }
}
