package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.holdfast.grpc.translate.PageToken;
import io.holdfast.v1.CancelRequest;
import io.holdfast.v1.Effect;
import io.holdfast.v1.ForceUnlockRequest;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LeaseTimeToLiveRequest;
import io.holdfast.v1.ListLeasesRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockMode;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a node refuses bad requests: it says what is wrong, changes nothing, and goes on. */
class BadInputTest {

  private static final String KEY = "bad/input";
  private static final LockRequest GOOD = Asked.lock(KEY, "anna").build();

  @TempDir private static Path folder;
  private static NodeUnderTest node;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() {
    node = NodeUnderTest.serving(folder);
    channel = node.connect();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    node.close();
  }

  @AfterEach
  void nothing_was_changed_and_the_node_goes_on() {
    GetLockRequest read = GetLockRequest.newBuilder().setKey(KEY).setWaiterLimit(10).build();
    assertTrue(!stub().getLock(read).hasLock());
  }

  @TestFactory
  List<DynamicTest> a_lock_request_is_refused_with_its_field() {
    Cases cases = new Cases();
    String many = "x".repeat(129);
    cases.lock("no key", b -> b.clearKey(), Reason.REASON_KEY_INVALID, "key");
    cases.lock("a long key", b -> b.setKey("é".repeat(257)), Reason.REASON_KEY_INVALID, "key");
    cases.lock("a line feed", b -> b.setKey("a\nb"), Reason.REASON_KEY_INVALID, "key");
    cases.lock("NEL, a control", b -> b.setKey("a\u0085b"), Reason.REASON_KEY_INVALID, "key");
    cases.bound("a long holder", b -> b.setHolderId(many), "holder_id");
    cases.bound("a NUL", b -> b.setHolderId("a\0"), "holder_id");
    cases.bound("a long client", b -> b.setClientId(many), "client_id");
    cases.bound("a long request id", b -> b.setRequestId(many), "request_id");
    cases.bound("a DEL", b -> b.setRequestId("\u007f"), "request_id");
    cases.bound("no ttl", b -> b.setTtlMs(0), "ttl_ms");
    cases.bound("a negative ttl", b -> b.setTtlMs(-1), "ttl_ms");
    cases.bound("the least ttl", b -> b.setTtlMs(Long.MIN_VALUE), "ttl_ms");
    cases.bound("a short ttl", b -> b.setTtlMs(99), "ttl_ms");
    cases.bound("a long ttl", b -> b.setTtlMs(86_400_001), "ttl_ms");
    cases.bound("the greatest ttl", b -> b.setTtlMs(Long.MAX_VALUE), "ttl_ms");
    cases.bound("a negative wait", b -> b.setTimeoutMs(-1), "timeout_ms");
    cases.bound("a long wait", b -> b.setTimeoutMs(3_600_001), "timeout_ms");
    cases.bound("no lease", b -> b.setLeaseId(0), "lease_id");
    cases.bound("a negative lease", b -> b.setLeaseId(-1), "lease_id");
    cases.bound(
        "a negative incarnation",
        b -> b.setLeaseId(1).setLeaseIncarnation(-1),
        "lease_incarnation");
    cases.bound(
        "much metadata", b -> b.setMetadata(ByteString.copyFrom(new byte[8_193])), "metadata");
    Reason required = Reason.REASON_FIELD_REQUIRED;
    cases.lock("no holder", b -> b.clearHolderId(), required, "holder_id");
    cases.lock("no life", b -> b.clearLife(), required, "ttl_ms");
    cases.lock(
        "an incarnation of no lease",
        b -> b.setLeaseIncarnation(1),
        Reason.REASON_FIELD_NOT_ALLOWED,
        "lease_incarnation");
    cases.lock("an unknown lease", b -> b.setLeaseId(12345), Reason.REASON_LEASE_NOT_FOUND, "");
    cases.lock("mode 9", b -> b.setModeValue(9), Reason.REASON_UNKNOWN_ENUM_VALUE, "mode");
    Reason unserved = Reason.REASON_NOT_SUPPORTED;
    cases.lock("SHARED", b -> b.setMode(LockMode.LOCK_MODE_SHARED), unserved, "mode");
    cases.lock("permits", b -> b.setPermits(1), unserved, "permits");
    cases.lock("a permit limit", b -> b.setPermitLimit(1), unserved, "permit_limit");
    return cases.all;
  }

  @TestFactory
  List<DynamicTest> another_request_is_refused_with_its_field() {
    Cases cases = new Cases();
    Reason required = Reason.REASON_FIELD_REQUIRED;
    Reason bound = Reason.REASON_OUT_OF_BOUND;
    Reason notAllowed = Reason.REASON_FIELD_NOT_ALLOWED;
    cases.add(
        "TryLock waits",
        s -> s.tryLock(GOOD.toBuilder().setTimeoutMs(1).build()),
        notAllowed,
        "timeout_ms");
    var unlock = UnlockRequest.newBuilder().setKey(KEY);
    cases.add("Unlock of no token", s -> s.unlock(unlock.build()), required, "fencing_token");
    cases.add(
        "Unlock of a negative token", s -> s.unlock(Asked.unlock(KEY, -1)), bound, "fencing_token");
    cases.add(
        "Unlock of a token never given",
        s -> s.unlock(Asked.unlock(KEY, Long.MAX_VALUE)),
        Reason.REASON_NOT_HOLDER,
        "");
    var renew = RenewRequest.newBuilder().setKey(KEY);
    cases.add("Renew of nothing", s -> s.renew(renew.build()), required, "fencing_token");
    cases.add(
        "Renew of a number",
        s -> s.renew(RenewRequest.newBuilder().setKey(KEY).setLockNumber(1).build()),
        notAllowed,
        "lock_number");
    cases.add(
        "Renew of a token never given",
        s -> s.renew(RenewRequest.newBuilder().setKey(KEY).setFencingToken(7).build()),
        Reason.REASON_NOT_HOLDER,
        "");
    var cancel = CancelRequest.newBuilder().setKey(KEY);
    cases.add("Cancel of nothing", s -> s.cancel(cancel.build()), required, "lock_request_id");
    cases.add(
        "Cancel of a number",
        s -> s.cancel(CancelRequest.newBuilder().setKey(KEY).setLockNumber(1).build()),
        notAllowed,
        "lock_number");
    cases.add(
        "Cancel of an empty id",
        s -> s.cancel(CancelRequest.newBuilder().setKey(KEY).setLockRequestId("").build()),
        bound,
        "lock_request_id");
    cases.add(
        "Renew of an empty id",
        s -> s.renew(RenewRequest.newBuilder().setKey(KEY).setLockRequestId("").build()),
        bound,
        "lock_request_id");
    cases.add(
        "Cancel of a long id",
        s ->
            s.cancel(
                CancelRequest.newBuilder().setKey(KEY).setLockRequestId("x".repeat(129)).build()),
        bound,
        "lock_request_id");
    var force = ForceUnlockRequest.newBuilder().setKey(KEY);
    cases.add(
        "Force without a reason", s -> s.forceUnlock(force.build()), required, "force_reason");
    cases.add(
        "Force with a long reason",
        s ->
            s.forceUnlock(
                ForceUnlockRequest.newBuilder()
                    .setKey(KEY)
                    .setForceReason("x".repeat(513))
                    .build()),
        bound,
        "force_reason");
    cases.add(
        "Force of a negative token",
        s ->
            s.forceUnlock(
                ForceUnlockRequest.newBuilder()
                    .setKey(KEY)
                    .setFencingToken(-1)
                    .setForceReason("r")
                    .build()),
        bound,
        "fencing_token");
    cases.add(
        "Validate no token",
        s -> s.validate(ValidateRequest.newBuilder().setKey(KEY).build()),
        required,
        "fencing_token");
    cases.add(
        "Get many waiters",
        s -> s.getLock(GetLockRequest.newBuilder().setKey(KEY).setWaiterLimit(1_001).build()),
        bound,
        "waiter_limit");
    cases.add(
        "Get 2^32 - 1 waiters",
        s -> s.getLock(GetLockRequest.newBuilder().setKey(KEY).setWaiterLimit(-1).build()),
        bound,
        "waiter_limit");
    cases.add(
        "List under a long prefix",
        s -> s.listLocks(ListLocksRequest.newBuilder().setPrefix("x".repeat(513)).build()),
        Reason.REASON_KEY_INVALID,
        "prefix");
    cases.add(
        "List a long page",
        s -> s.listLocks(ListLocksRequest.newBuilder().setPageSize(1_001).build()),
        bound,
        "page_size");
    cases.add(
        "List many waiters",
        s -> s.listLocks(ListLocksRequest.newBuilder().setWaiterLimit(101).build()),
        bound,
        "waiter_limit");
    cases.add(
        "List from a long token",
        s ->
            s.listLocks(
                ListLocksRequest.newBuilder()
                    .setPageToken(ByteString.copyFrom(new byte[1_025]))
                    .build()),
        Reason.REASON_CURSOR_INVALID,
        "page_token");
    ByteString token = pageToken();
    cases.add(
        "List from a token with a key that is none",
        s ->
            s.listLocks(
                ListLocksRequest.newBuilder()
                    .setPrefix("pages/")
                    .setPageToken(token.concat(ByteString.copyFromUtf8("\n")))
                    .build()),
        Reason.REASON_CURSOR_INVALID,
        "page_token");
    cases.add(
        "List leases of a long client",
        s -> s.listLeases(ListLeasesRequest.newBuilder().setClientId("x".repeat(129)).build()),
        bound,
        "client_id");
    for (String id : List.of("-1", "0", "one")) {
      cases.add(
          "List leases from a token with the id " + id,
          s ->
              s.listLeases(
                  ListLeasesRequest.newBuilder()
                      .setPageToken(PageToken.write("leases of ", id))
                      .build()),
          Reason.REASON_CURSOR_INVALID,
          "page_token");
    }
    cases.lease("no ttl", b -> b, required, "ttl_ms");
    cases.lease("a short ttl", b -> b.setTtlMs(999), bound, "ttl_ms");
    cases.lease("a long ttl", b -> b.setTtlMs(600_001), bound, "ttl_ms");
    cases.lease("a negative ttl", b -> b.setTtlMs(-1), bound, "ttl_ms");
    cases.lease("a negative id", b -> b.setTtlMs(1_000).setLeaseId(-1), bound, "lease_id");
    cases.add(
        "Revoke nothing",
        s -> s.leaseRevoke(LeaseRevokeRequest.getDefaultInstance()),
        required,
        "lease_id");
    cases.add(
        "Revoke an unknown lease",
        s -> s.leaseRevoke(LeaseRevokeRequest.newBuilder().setLeaseId(12345).build()),
        Reason.REASON_LEASE_NOT_FOUND,
        "");
    cases.add(
        "Revoke a negative incarnation",
        s ->
            s.leaseRevoke(LeaseRevokeRequest.newBuilder().setLeaseId(1).setIncarnation(-1).build()),
        bound,
        "incarnation");
    cases.add(
        "Read an unknown lease",
        s -> s.leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder().setLeaseId(12345).build()),
        Reason.REASON_LEASE_NOT_FOUND,
        "");
    cases.add(
        "Read many keys of a lease",
        s ->
            s.leaseTimeToLive(
                LeaseTimeToLiveRequest.newBuilder().setLeaseId(1).setKeyLimit(1_001).build()),
        bound,
        "key_limit");
    return cases.all;
  }

  private static ByteString pageToken() {
    stub().lock(Asked.lock("pages/1", "h").build());
    stub().lock(Asked.lock("pages/2", "h").build());
    return stub()
        .listLocks(ListLocksRequest.newBuilder().setPrefix("pages/").setPageSize(1).build())
        .getNextPageToken();
  }

  @Test
  void a_watch_without_key_or_with_bad_bounds_ends_with_a_reason() {
    assertEnds(WatchCreate.newBuilder(), Reason.REASON_FIELD_REQUIRED);
    assertEnds(WatchCreate.newBuilder().setKey(""), Reason.REASON_KEY_INVALID);
    assertEnds(WatchCreate.newBuilder().setPrefix("a\n"), Reason.REASON_KEY_INVALID);
    assertEnds(
        WatchCreate.newBuilder().setKey(KEY).setStartRevision(-1), Reason.REASON_OUT_OF_BOUND);
    assertEnds(WatchCreate.newBuilder().setKey(KEY).setWatchId(-1), Reason.REASON_OUT_OF_BOUND);
    assertEnds(
        WatchCreate.newBuilder().setKey(KEY).setResumeToken(ByteString.copyFromUtf8("noise")),
        Reason.REASON_CURSOR_INVALID);
  }

  private static void assertEnds(WatchCreate.Builder create, Reason reason) {
    try (WatchUnderTest watch = WatchUnderTest.created(LockServiceGrpc.newStub(channel), create)) {
      WatchResponse told = watch.responses().get(0);
      assertTrue(told.getCanceled());
      assertEquals(reason, told.getRefusal().getReason());
    }
  }

  private static LockServiceBlockingStub stub() {
    return LockServiceGrpc.newBlockingStub(channel);
  }

  /** Requests, each with what is wrong with it. */
  private static final class Cases {
    final List<DynamicTest> all = new ArrayList<>();

    void add(String name, Consumer<LockServiceBlockingStub> call, Reason reason, String field) {
      all.add(
          dynamicTest(
              name,
              () -> {
                Refusal refusal = Asked.refusal(() -> call.accept(stub()));
                assertEquals(reason, refusal.getReason(), refusal::toString);
                assertEquals(field, refusal.getField(), refusal::toString);
                assertEquals(Effect.EFFECT_NONE, refusal.getEffect());
                assertTrue(!refusal.getMessage().isEmpty());
              }));
    }

    void lock(String name, Consumer<LockRequest.Builder> wrong, Reason reason, String field) {
      LockRequest.Builder request = GOOD.toBuilder();
      wrong.accept(request);
      add(name, stub -> stub.lock(request.build()), reason, field);
    }

    void bound(String name, Consumer<LockRequest.Builder> wrong, String field) {
      lock(name, wrong, Reason.REASON_OUT_OF_BOUND, field);
    }

    void lease(
        String name,
        java.util.function.UnaryOperator<LeaseGrantRequest.Builder> wrong,
        Reason reason,
        String field) {
      LeaseGrantRequest request = wrong.apply(LeaseGrantRequest.newBuilder()).build();
      add("a lease with " + name, stub -> stub.leaseGrant(request), reason, field);
    }
  }
}
