package holdfast.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import holdfast.lock.LockCommand;
import holdfast.v1.Effect;
import holdfast.v1.LockMode;
import holdfast.v1.LockRequest;
import holdfast.v1.Reason;
import holdfast.v1.Refusal;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What a request may say, and what every other one gets. */
class RequestReaderTest {

  private final RequestReader reader = new RequestReader(() -> "made-up");

  @Test
  void a_request_is_read_as_it_was_meant() {
    LockCommand.Acquire acquire =
        reader.acquire(
            good()
                .setClientId("client")
                .setRequestId("request")
                .setTimeoutMs(5_000)
                .setMode(LockMode.LOCK_MODE_EXCLUSIVE)
                .build());
    assertEquals("client/request", acquire.request().toString());
    assertEquals("client/handle", acquire.holder().toString());
    assertEquals(1_000, acquire.ttl().millis());
    assertEquals(5_000, acquire.patience().millis());
  }

  @Test
  void a_request_without_an_id_gets_a_fresh_one() {
    assertEquals("made-up", reader.acquire(good().build()).request().value());
  }

  @Test
  void what_is_needed_is_asked_for() {
    refused(r -> r.setHolderId(""), Reason.REASON_FIELD_REQUIRED, "holder_id");
    refused(LockRequest.Builder::clearLife, Reason.REASON_FIELD_REQUIRED, "ttl_ms");
    refused(() -> RequestReader.token(0), Reason.REASON_FIELD_REQUIRED, "fencing_token");
  }

  @Test
  void what_is_out_of_its_bound_is_refused_with_the_bound() {
    Refusal low = refused(r -> r.setTtlMs(50), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    assertEquals("ttl_ms [50] is below the minimum [100]", low.getMessage());
    assertEquals(100, low.getMinimum());
    assertEquals(false, low.hasMaximum());
    Refusal high =
        refused(r -> r.setTimeoutMs(3_600_001), Reason.REASON_OUT_OF_BOUND, "timeout_ms");
    assertEquals(3_600_000, high.getMaximum());
    assertEquals(false, high.hasMinimum());
    refused(r -> r.setTtlMs(0), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    refused(r -> r.setTtlMs(-1), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    refused(r -> r.setTtlMs(Long.MAX_VALUE), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    refused(r -> r.setTimeoutMs(-1), Reason.REASON_OUT_OF_BOUND, "timeout_ms");
    refused(r -> r.setHolderId("h".repeat(129)), Reason.REASON_OUT_OF_BOUND, "holder_id");
    refused(r -> r.setRequestId("r\n"), Reason.REASON_OUT_OF_BOUND, "request_id");
    refused(r -> r.setClientId("c".repeat(129)), Reason.REASON_OUT_OF_BOUND, "client_id");
    refused(() -> RequestReader.token(-1), Reason.REASON_OUT_OF_BOUND, "fencing_token");
    refused(() -> RequestReader.waiterLimit(1_001), Reason.REASON_OUT_OF_BOUND, "waiter_limit");
    refused(() -> RequestReader.waiterLimit(-1), Reason.REASON_OUT_OF_BOUND, "waiter_limit");
    refused(() -> RequestReader.key(""), Reason.REASON_KEY_INVALID, "key");
    refused(() -> RequestReader.key("k".repeat(513)), Reason.REASON_KEY_INVALID, "key");
  }

  @Test
  void a_message_has_at_most_64_kib() {
    RequestReader.requireSize(65_536);
    Refusal refusal =
        refused(() -> RequestReader.requireSize(65_537), Reason.REASON_MESSAGE_TOO_LARGE, "");
    assertEquals(65_536, refusal.getMaximum());
  }

  @Test
  void what_is_not_served_is_refused_and_not_passed_over() {
    refused(r -> r.setLeaseId(1), Reason.REASON_NOT_SUPPORTED, "lease_id");
    refused(r -> r.setLeaseIncarnation(1), Reason.REASON_NOT_SUPPORTED, "lease_incarnation");
    refused(r -> r.setMode(LockMode.LOCK_MODE_SHARED), Reason.REASON_NOT_SUPPORTED, "mode");
    refused(r -> r.setModeValue(99), Reason.REASON_UNKNOWN_ENUM_VALUE, "mode");
    refused(r -> r.setReenter(true), Reason.REASON_NOT_SUPPORTED, "reenter");
    refused(r -> r.setPermits(1), Reason.REASON_NOT_SUPPORTED, "permits");
    refused(r -> r.setPermitLimit(1), Reason.REASON_NOT_SUPPORTED, "permit_limit");
    refused(
        r -> r.setMetadata(ByteString.copyFromUtf8("m")), Reason.REASON_NOT_SUPPORTED, "metadata");
  }

  private Refusal refused(UnaryOperator<LockRequest.Builder> change, Reason reason, String field) {
    LockRequest request = change.apply(good()).build();
    return refused(() -> reader.acquire(request), reason, field);
  }

  private static Refusal refused(Executable read, Reason reason, String field) {
    StatusRuntimeException error = assertThrows(StatusRuntimeException.class, read);
    try {
      Refusal refusal =
          Objects.requireNonNull(StatusProto.fromThrowable(error))
              .getDetails(0)
              .unpack(Refusal.class);
      assertEquals(reason, refusal.getReason());
      assertEquals(field, refusal.getField());
      assertEquals(Effect.EFFECT_NONE, refusal.getEffect());
      return refusal;
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static LockRequest.Builder good() {
    return LockRequest.newBuilder().setKey("key").setHolderId("handle").setTtlMs(1_000);
  }
}
