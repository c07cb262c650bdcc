package io.holdfast.grpc.translate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.v1.Effect;
import io.holdfast.v1.ForceUnlockRequest;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LockMode;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.UnlockRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The translation of valid requests, and the refusals of invalid ones. */
class RequestReaderTest {

  private static final Lifetime OWN = new Lifetime.Own(new Ttl(1_000));
  private static final Lifetime SHARED = shared(20);

  private final RequestReader reader = new RequestReader(() -> 7);

  @Test
  void a_lock_request_is_translated() {
    LockCommand.Acquire acquire =
        read(
            good()
                .setClientId("client")
                .setRequestId("request")
                .setTimeoutMs(5_000)
                .setReenter(true)
                .setMetadata(ByteString.copyFromUtf8("shown"))
                .setMode(LockMode.LOCK_MODE_EXCLUSIVE));
    assertEquals(new RequestId.Named(new ClientId("client"), "request"), acquire.request().id());
    assertEquals(HolderId.of(new ClientId("client"), "handle"), acquire.holder());
    assertEquals(OWN, acquire.life());
    assertEquals(5_000, acquire.waitTimeout().millis());
    assertEquals(true, acquire.reenter());
    assertArrayEquals("shown".getBytes(UTF_8), acquire.metadata().bytes());
  }

  @Test
  void a_lease_is_the_scope_of_its_holder_ids() {
    LockCommand.Acquire acquire =
        reader.acquire(good().setClientId("client").setLeaseId(5).build(), SHARED);
    assertEquals(SHARED, acquire.life());
    assertEquals(new HolderId(ClientId.NAMELESS, new LeaseId(5), "handle"), acquire.holder());
    assertEquals("client", acquire.request().id().client().value());
  }

  @Test
  void a_request_without_an_id_gets_a_new_one_each_time() {
    RequestId id = read(good().setClientId("client").setRequestId("")).request().id();
    assertEquals(new RequestId.Once(new ClientId("client"), 7), id);
    assertFalse(id.isRepeatable());
  }

  @Test
  void a_repetition_may_differ_in_its_wait_timeout_only() {
    long content = read(good()).request().content();
    assertEquals(content, read(good()).request().content());
    assertEquals(content, read(good().setTimeoutMs(100)).request().content());
    assertNotEquals(content, read(good().setHolderId("other")).request().content());
    assertNotEquals(content, read(good().setClientId("other")).request().content());
    assertNotEquals(content, read(good().setTtlMs(2_000)).request().content());
    assertNotEquals(content, read(good().setReenter(true)).request().content());
    assertNotEquals(
        content, read(good().setMetadata(ByteString.copyFromUtf8("m"))).request().content());
    assertNotEquals(
        content, reader.acquire(good().setLeaseId(5).build(), SHARED).request().content());
  }

  /**
   * The content of a request is in its fields, without the incarnation of the lease that was found.
   */
  @Test
  void a_repetition_is_equal_under_a_newer_lease_incarnation() {
    LockRequest any = good().setLeaseId(5).build();
    assertEquals(reader.acquire(any, SHARED).request(), reader.acquire(any, shared(21)).request());
    LockRequest meant = good().setLeaseId(5).setLeaseIncarnation(20).build();
    assertNotEquals(
        reader.acquire(any, SHARED).request().content(),
        reader.acquire(meant, SHARED).request().content());
  }

  @Test
  void a_release_is_translated() {
    UnlockRequest.Builder request =
        UnlockRequest.newBuilder().setKey("key").setFencingToken(3).setRequestId("request");
    LockCommand.Release one = reader.release(request.build());
    LockCommand.Release all = reader.release(request.setAll(true).build());
    assertEquals(new FencingToken(3), one.token());
    assertEquals(List.of(false, true), List.of(one.all(), all.all()));
    assertEquals(one.request().id(), all.request().id());
    assertNotEquals(one.request().content(), all.request().content());
    refused(
        () -> reader.release(UnlockRequest.newBuilder().setKey("key").build()),
        Reason.REASON_FIELD_REQUIRED,
        "fencing_token");
  }

  @Test
  void a_forced_release_needs_a_reason() {
    LockCommand.Force force = reader.force(force("stuck").setFencingToken(3).build());
    assertEquals("stuck", force.reason());
    assertEquals(new FencingToken(3), force.token());
    assertNull(reader.force(force("stuck").build()).token());
    refused(() -> reader.force(force("").build()), Reason.REASON_FIELD_REQUIRED, "force_reason");
    Refusal high =
        refused(
            () -> reader.force(force("w".repeat(513)).build()),
            Reason.REASON_OUT_OF_BOUND,
            "force_reason");
    assertEquals(512, high.getMaximum());
    refused(
        () -> reader.force(force("two\nlines").build()),
        Reason.REASON_OUT_OF_BOUND,
        "force_reason");
    refused(
        () -> reader.force(force("stuck").setFencingToken(-1).build()),
        Reason.REASON_OUT_OF_BOUND,
        "fencing_token");
  }

  @Test
  void a_lease_ttl_is_1_second_to_10_minutes() {
    assertEquals(1_000, reader.grant(grant(1_000)).terms().ttl().millis());
    assertEquals(600_000, reader.grant(grant(600_000)).terms().ttl().millis());
    refused(() -> reader.grant(grant(0)), Reason.REASON_FIELD_REQUIRED, "ttl_ms");
    Refusal low = refused(() -> reader.grant(grant(999)), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    assertEquals(1_000, low.getMinimum());
    Refusal high =
        refused(() -> reader.grant(grant(600_001)), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    assertEquals(600_000, high.getMaximum());
  }

  @Test
  void a_revocation_needs_a_lease_and_takes_an_incarnation() {
    LeaseRevokeRequest.Builder request = LeaseRevokeRequest.newBuilder().setLeaseId(5);
    assertEquals(Revision.NONE, reader.revoke(request.build()).incarnation());
    assertEquals(new Revision(20), reader.revoke(request.setIncarnation(20).build()).incarnation());
    refused(
        () -> reader.revoke(request.setIncarnation(-1).build()),
        Reason.REASON_OUT_OF_BOUND,
        "incarnation");
    assertEquals(new LeaseId(5), RequestReader.lease(5));
    refused(() -> RequestReader.lease(0), Reason.REASON_FIELD_REQUIRED, "lease_id");
    refused(() -> RequestReader.lease(-1), Reason.REASON_OUT_OF_BOUND, "lease_id");
  }

  @Test
  void a_missing_field_is_refused_with_its_name() {
    refused(r -> r.setHolderId(""), Reason.REASON_FIELD_REQUIRED, "holder_id");
    refused(() -> RequestReader.token(0), Reason.REASON_FIELD_REQUIRED, "fencing_token");
    refused(() -> reader.named("client", ""), Reason.REASON_OUT_OF_BOUND, "lock_request_id");
    assertEquals(
        new RequestId.Named(new ClientId("client"), "request"), reader.named("client", "request"));
  }

  @Test
  void a_value_out_of_bounds_is_refused_with_the_bound() {
    Refusal low = refused(() -> RequestReader.ttl(50), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    assertEquals("ttl_ms [50] is below the minimum [100]", low.getMessage());
    assertEquals(100, low.getMinimum());
    assertFalse(low.hasMaximum());
    Refusal high =
        refused(r -> r.setTimeoutMs(3_600_001), Reason.REASON_OUT_OF_BOUND, "timeout_ms");
    assertEquals(3_600_000, high.getMaximum());
    assertFalse(high.hasMinimum());
    refused(() -> RequestReader.ttl(0), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    refused(() -> RequestReader.ttl(-1), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    refused(() -> RequestReader.ttl(Long.MAX_VALUE), Reason.REASON_OUT_OF_BOUND, "ttl_ms");
    refused(r -> r.setTimeoutMs(-1), Reason.REASON_OUT_OF_BOUND, "timeout_ms");
    refused(r -> r.setHolderId("h".repeat(129)), Reason.REASON_OUT_OF_BOUND, "holder_id");
    refused(r -> r.setRequestId("r\n"), Reason.REASON_OUT_OF_BOUND, "request_id");
    refused(r -> r.setClientId("c".repeat(129)), Reason.REASON_OUT_OF_BOUND, "client_id");
    refused(() -> RequestReader.token(-1), Reason.REASON_OUT_OF_BOUND, "fencing_token");
    refused(() -> RequestReader.key(""), Reason.REASON_KEY_INVALID, "key");
    refused(() -> RequestReader.key("k".repeat(513)), Reason.REASON_KEY_INVALID, "key");
    Refusal shown =
        refused(
            r -> r.setMetadata(ByteString.copyFrom(new byte[8_193])),
            Reason.REASON_OUT_OF_BOUND,
            "metadata");
    assertEquals(8_192, shown.getMaximum());
  }

  @Test
  void a_size_of_zero_is_the_default() {
    assertEquals(100, RequestReader.size("page_size", 0, 100, 1_000));
    assertEquals(1_000, RequestReader.size("page_size", 1_000, 100, 1_000));
    Refusal high =
        refused(
            () -> RequestReader.size("waiter_limit", 1_001, 0, 1_000),
            Reason.REASON_OUT_OF_BOUND,
            "waiter_limit");
    assertEquals(1_000, high.getMaximum());
    Refusal unsigned =
        refused(
            () -> RequestReader.size("waiter_limit", -1, 0, 1_000),
            Reason.REASON_OUT_OF_BOUND,
            "waiter_limit");
    assertEquals("waiter_limit [4294967295] exceeds the maximum [1000]", unsigned.getMessage());
  }

  @Test
  void a_prefix_is_a_valid_key_or_empty() {
    assertEquals("", RequestReader.prefix(""));
    assertEquals("orders/", RequestReader.prefix("orders/"));
    refused(() -> RequestReader.prefix("a\u0000"), Reason.REASON_KEY_INVALID, "prefix");
    refused(() -> RequestReader.prefix("k".repeat(513)), Reason.REASON_KEY_INVALID, "prefix");
  }

  @Test
  void a_message_above_64_kib_is_refused() {
    RequestReader.requireSize(65_536);
    Refusal refusal =
        refused(() -> RequestReader.requireSize(65_537), Reason.REASON_MESSAGE_TOO_LARGE, "");
    assertEquals(65_536, refusal.getMaximum());
  }

  @Test
  void an_unserved_field_is_refused_and_not_ignored() {
    refused(r -> r.setMode(LockMode.LOCK_MODE_SHARED), Reason.REASON_NOT_SUPPORTED, "mode");
    refused(r -> r.setModeValue(99), Reason.REASON_UNKNOWN_ENUM_VALUE, "mode");
    refused(r -> r.setPermits(1), Reason.REASON_NOT_SUPPORTED, "permits");
    refused(r -> r.setPermitLimit(1), Reason.REASON_NOT_SUPPORTED, "permit_limit");
  }

  private LockCommand.Acquire read(LockRequest.Builder request) {
    return reader.acquire(request.build(), OWN);
  }

  private Refusal refused(UnaryOperator<LockRequest.Builder> change, Reason reason, String field) {
    LockRequest request = change.apply(good()).build();
    return refused(() -> reader.acquire(request, OWN), reason, field);
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

  private static Lifetime shared(long incarnation) {
    return new Lifetime.Shared(
        LeaseLife.of(new LeaseId(5), new Revision(incarnation)), new Ttl(10_000));
  }

  private static ForceUnlockRequest.Builder force(String reason) {
    return ForceUnlockRequest.newBuilder()
        .setKey("key")
        .setRequestId("request")
        .setForceReason(reason);
  }

  private static LeaseGrantRequest grant(long ttlMs) {
    return LeaseGrantRequest.newBuilder().setTtlMs(ttlMs).build();
  }

  private static LockRequest.Builder good() {
    return LockRequest.newBuilder()
        .setKey("key")
        .setHolderId("handle")
        .setTtlMs(1_000)
        .setRequestId("r");
  }
}
