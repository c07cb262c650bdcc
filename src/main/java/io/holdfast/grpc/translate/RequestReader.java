package io.holdfast.grpc.translate;

import io.grpc.StatusRuntimeException;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.OutOfBound;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.v1.ForceUnlockRequest;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LockMode;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.UnlockRequest;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Translates requests into values of the domain. It refuses an invalid field with a typed error
 * that names it.
 */
public final class RequestReader {

  static final int MAX_MESSAGE_BYTES = 65_536;

  /** Generates the ids of requests that have none. */
  private final LongSupplier freshIds;

  public RequestReader(LongSupplier freshIds) {
    this.freshIds = freshIds;
  }

  public static void requireSize(long bytes) {
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

  public static LockKey key(String key) {
    return read(Reason.REASON_KEY_INVALID, "key", () -> new LockKey(key));
  }

  public static FencingToken token(long token) {
    if (token == 0) {
      throw required("fencing_token");
    }
    return read(Reason.REASON_OUT_OF_BOUND, "fencing_token", () -> new FencingToken(token));
  }

  /** Translates a lock request outside of a session. The lifetime is resolved elsewhere. */
  public LockCommand.Acquire acquire(LockRequest request, Lifetime life) {
    return acquire(
        requestId(request.getClientId(), request.getRequestId()),
        life,
        /* session= */ null,
        request);
  }

  /**
   * Translates a lock request whose id is known.
   *
   * @param session the scope of the holder's id if the holder has its own ttl, if one is
   */
  public static LockCommand.Acquire acquire(
      RequestId id, Lifetime life, @Nullable LeaseId session, LockRequest request) {
    refuseUnserved(request);
    HolderId holder = holder(id.client(), life, session, request.getHolderId());
    Metadata metadata =
        read(
            Reason.REASON_OUT_OF_BOUND,
            "metadata",
            () -> Metadata.of(request.getMetadata().toByteArray()));
    LeaseId scope = holder.lease();
    long content =
        new ContentHash()
            .and("lock")
            .and(holder.client().value())
            .and(scope == null ? 0 : scope.value())
            .and(holder.value())
            .and(request.getLifeCase().getNumber())
            .and(request.getTtlMs())
            .and(request.getLeaseId())
            .and(request.getLeaseIncarnation())
            .and(request.getReenter())
            .and(metadata.bytes())
            .value();
    return new LockCommand.Acquire(
        new RequestHeader(id, content),
        holder,
        life,
        read(
            Reason.REASON_OUT_OF_BOUND,
            "timeout_ms",
            () -> new WaitTimeout(request.getTimeoutMs())),
        request.getReenter(),
        metadata);
  }

  public LockCommand.Release release(UnlockRequest request) {
    FencingToken token = token(request.getFencingToken());
    return new LockCommand.Release(
        request(
            request.getClientId(),
            request.getRequestId(),
            new ContentHash().and("unlock").and(token.value()).and(request.getAll())),
        token,
        request.getAll());
  }

  public LockCommand.Force force(ForceUnlockRequest request) {
    if (request.getForceReason().isEmpty()) {
      throw required("force_reason");
    }
    @Nullable FencingToken token =
        request.getFencingToken() == 0
            ? null
            : read(
                Reason.REASON_OUT_OF_BOUND,
                "fencing_token",
                () -> new FencingToken(request.getFencingToken()));
    RequestHeader id =
        request(
            request.getClientId(),
            request.getRequestId(),
            new ContentHash()
                .and("force")
                .and(request.getFencingToken())
                .and(request.getForceReason()));
    return read(
        Reason.REASON_OUT_OF_BOUND,
        "force_reason",
        () -> new LockCommand.Force(id, token, request.getForceReason()));
  }

  public LeaseCommand.Grant grant(LeaseGrantRequest request) {
    if (request.getTtlMs() == 0) {
      throw required("ttl_ms");
    }
    RequestHeader id =
        request(
            request.getClientId(),
            request.getRequestId(),
            new ContentHash().and("grant").and(request.getTtlMs()));
    return new LeaseCommand.Grant(
        id,
        read(
            Reason.REASON_OUT_OF_BOUND,
            "ttl_ms",
            () -> LeaseTerms.of(request.getTtlMs(), id.id().client(), /* session= */ false)));
  }

  public LeaseCommand.Revoke revoke(LeaseRevokeRequest request) {
    return new LeaseCommand.Revoke(
        request(
            request.getClientId(),
            request.getRequestId(),
            new ContentHash().and("revoke").and(request.getIncarnation())),
        new Revision(atLeast("incarnation", request.getIncarnation(), 0)));
  }

  /** Checks the id of a lease, which is required. */
  public static LeaseId lease(long id) {
    if (id == 0) {
      throw required("lease_id");
    }
    return new LeaseId(atLeast("lease_id", id, 1));
  }

  public static long atLeast(String field, long value, long minimum) {
    return within(field, value, minimum, Long.MAX_VALUE);
  }

  public static long within(String field, long value, long minimum, long maximum) {
    return read(
        Reason.REASON_OUT_OF_BOUND,
        field,
        () -> {
          OutOfBound.check(field, value, minimum, maximum);
          return value;
        });
  }

  /** Checks a size; 0 stands for the default. */
  public static int size(String field, int value, int usual, int maximum) {
    long size = within(field, Integer.toUnsignedLong(value), 0, maximum);
    return size == 0 ? usual : (int) size;
  }

  /** Checks a prefix of keys; empty for all keys. */
  public static String prefix(String prefix) {
    return prefix.isEmpty()
        ? prefix
        : read(Reason.REASON_KEY_INVALID, "prefix", () -> new LockKey(prefix)).value();
  }

  /** Checks the key of a page token, which a client could have forged; empty for the first page. */
  public static String after(String key) {
    try {
      return key.isEmpty() ? key : new LockKey(key).value();
    } catch (OutOfBound e) {
      throw cursorInvalid("page_token");
    }
  }

  public static StatusRuntimeException cursorInvalid(String field) {
    return StatusMapping.error(
        refusal(Reason.REASON_CURSOR_INVALID, field, field + " was not made for this request"));
  }

  /** Translates the request id that a Renew or Cancel names. */
  public RequestId named(String client, String request) {
    ClientId of = client(client);
    return read(
        Reason.REASON_OUT_OF_BOUND, "lock_request_id", () -> new RequestId.Named(of, request));
  }

  private RequestHeader request(String client, String request, ContentHash content) {
    return new RequestHeader(requestId(client, request), content.value());
  }

  public static ClientId client(String client) {
    return read(Reason.REASON_OUT_OF_BOUND, "client_id", () -> new ClientId(client));
  }

  private RequestId requestId(String clientId, String request) {
    ClientId client = client(clientId);
    return request.isEmpty()
        ? new RequestId.Once(client, freshIds.getAsLong())
        : read(
            Reason.REASON_OUT_OF_BOUND, "request_id", () -> new RequestId.Named(client, request));
  }

  private static HolderId holder(
      ClientId client, Lifetime life, @Nullable LeaseId session, String holder) {
    if (holder.isEmpty()) {
      throw required("holder_id");
    }
    return read(
        Reason.REASON_OUT_OF_BOUND,
        "holder_id",
        () -> new HolderId(client, life.lease().map(LeaseLife::id).orElse(session), holder));
  }

  /** Checks the ttl of a request that has its own. */
  public static Ttl ttl(long ttlMs) {
    return read(Reason.REASON_OUT_OF_BOUND, "ttl_ms", () -> new Ttl(ttlMs));
  }

  /** Refuses the fields of the contract that this version does not serve; it never ignores them. */
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
    } else if (request.getPermits() != 0) {
      throw unserved("permits", "permits");
    } else if (request.getPermitLimit() != 0) {
      throw unserved("permit_limit", "permits");
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

  public static StatusRuntimeException required(String field) {
    return StatusMapping.error(
        refusal(Reason.REASON_FIELD_REQUIRED, field, field + " is required"));
  }

  private static StatusRuntimeException unserved(String field, String what) {
    return StatusMapping.error(
        refusal(Reason.REASON_NOT_SUPPORTED, field, what + " are not served by this version"));
  }

  public static StatusRuntimeException notAllowed(String field, String message) {
    return StatusMapping.error(refusal(Reason.REASON_FIELD_NOT_ALLOWED, field, message));
  }

  private static Refusal.Builder refusal(Reason reason, String field, String message) {
    return Refusal.newBuilder().setReason(reason).setField(field).setMessage(message);
  }
}
