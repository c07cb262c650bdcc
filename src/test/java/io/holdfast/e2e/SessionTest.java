package io.holdfast.e2e;

import static io.holdfast.e2e.SessionUnderTest.lock;
import static io.holdfast.e2e.SessionUnderTest.unlock;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.holdfast.v1.Answer;
import io.holdfast.v1.CancelRequest;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Operation;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.ValidateRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions over gRPC: many operations in one stream, and what outlives the stream. */
class SessionTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final AtomicLong KEYS = new AtomicLong();

  @TempDir private static Path folder;
  private static NodeUnderTest node;
  private static ManagedChannel channel;

  private final String key = "session/" + KEYS.incrementAndGet();

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

  @Test
  void many_operations_share_a_stream() {
    SessionUnderTest session = open(10_000);
    SessionOpened opened = session.opened();
    assertTrue(opened.getSessionId() > 0 && opened.getIncarnation() > 0);
    assertEquals(10_000, opened.getGrantedTtlMs());
    assertFalse(opened.getResumed());
    SessionRequest.Builder frame = SessionRequest.newBuilder();
    for (int i = 1; i <= 200; i++) {
      frame.addOperations(lock(i, key + "/" + i, "h", 0));
    }
    session.send(frame.build());
    for (int i = 1; i <= 200; i++) {
      Answer answer = session.answer(i);
      assertTrue(answer.getLock().getAcquired() && answer.getLock().getHeldNow());
      assertTrue(answer.getRevision() > 0);
      assertEquals(opened.getSessionId(), answer.getLock().getLeaseId());
      session.send(unlock(1_000 + i, key + "/" + i, answer.getLock().getFencingToken()));
    }
    for (int i = 1; i <= 200; i++) {
      assertTrue(session.answer(1_000 + i).getUnlock().getReleased());
    }
    session.cancel();
  }

  @Test
  void a_session_is_told_who_runs_each_shard_and_where_that_is() {
    SessionUnderTest told = open(60_000);
    int shards = told.opened().getShardCount();
    SessionUnderTest busy = open(60_000);
    SessionRequest.Builder all = SessionRequest.newBuilder();
    for (int i = 1; i <= 20 * shards; i++) { // all shards run after that
      all.addOperations(lock(i, key + "/" + i, "h", 0));
    }
    busy.send(all.build());
    List<OwnerHint> hints =
        eventually(
            "owners of all shards",
            WITHIN,
            () -> told.frames().stream().flatMap(f -> f.getOwnersList().stream()).toList(),
            found -> found.stream().map(OwnerHint::getShard).distinct().count() == shards);
    assertEquals(shards, hints.size(), "nothing is told twice");
    hints.forEach(hint -> assertEquals(node.grpcAddress(), hint.getEndpoint()));
    SessionUnderTest later = open(10_000);
    later.opened();
    assertEquals(shards, later.frames().get(0).getOwnersCount());
    later.send(lock(1, key, "h", 0));
    assertFalse(later.answer(1).getLock().hasOwner(), "it was told before");
  }

  @Test
  void the_first_frame_may_have_operations() {
    SessionUnderTest session =
        SessionUnderTest.opening(
            channel,
            SessionRequest.newBuilder()
                .setOpen(SessionOpen.newBuilder().setTtlMs(5_000))
                .addOperations(lock(1, key, "h", 0))
                .build());
    assertTrue(session.answer(1).getLock().getAcquired());
  }

  @Test
  void a_waiter_is_told_its_place_and_then_gets_the_lock() {
    SessionUnderTest anna = open(10_000);
    SessionUnderTest bert = open(10_000);
    anna.send(lock(1, key, "anna", 0));
    long token = anna.answer(1).getLock().getFencingToken();
    bert.send(lock(1, key, "bert", 60_000));
    assertEquals(1, bert.queued(1).getLock().getQueuePosition());
    anna.send(unlock(2, key, token));
    Answer granted = bert.answer(1);
    assertTrue(granted.getLock().getAcquired() && granted.getLock().getWaited());
    assertTrue(granted.getLock().getFencingToken() > token);
    assertEquals(1, bert.count(1));
  }

  @Test
  void two_holders_of_one_session_exclude_each_other() {
    SessionUnderTest session = open(10_000);
    session.send(lock(1, key, "thread-1", 0), lock(2, key, "thread-2", 0));
    assertTrue(session.answer(1).getLock().getAcquired());
    assertEquals(Reason.REASON_LOCKED, session.answer(2).getLock().getReason());
  }

  @Test
  void operations_on_one_key_are_decided_in_their_order() {
    SessionUnderTest session = open(10_000);
    session.send(lock(1, key, "a", 0), lock(2, key, "b", 60_000), lock(3, key, "c", 60_000));
    session.queued(3);
    session.send(unlock(4, key, session.answer(1).getLock().getFencingToken()));
    long second = session.answer(2).getLock().getFencingToken();
    session.send(unlock(5, key, second));
    assertTrue(session.answer(3).getLock().getFencingToken() > second);
  }

  @Test
  void a_broken_stream_is_resumed_with_its_grants_and_places() {
    SessionUnderTest anna = open(10_000);
    long id = anna.opened().getSessionId();
    SessionUnderTest other = open(10_000);
    other.send(lock(1, key, "other", 0));
    long held = other.answer(1).getLock().getFencingToken();
    anna.send(lock(1, key + "/own", "h", 0), lock(2, key, "h", 60_000));
    long own = anna.answer(1).getLock().getFencingToken();
    anna.queued(2);
    anna.cancel();
    SessionUnderTest again =
        SessionUnderTest.opening(
            channel,
            SessionRequest.newBuilder()
                .setOpen(SessionOpen.newBuilder().setSessionId(id))
                .addOperations(lock(1, key + "/own", "h", 0))
                .addOperations(lock(2, key, "h", 60_000))
                .build());
    assertTrue(again.opened().getResumed());
    Answer repeated = again.answer(1);
    assertTrue(repeated.getLock().getRepeated() && repeated.getLock().getHeldNow());
    assertEquals(own, repeated.getLock().getFencingToken());
    assertEquals(1, again.queued(2).getLock().getQueuePosition());
    other.send(unlock(2, key, held));
    assertTrue(again.answer(2).getLock().getAcquired());
  }

  @Test
  void a_session_lives_by_its_keepalives_and_ends_without() {
    SessionUnderTest session = open(1_000);
    session.send(lock(1, key, "h", 0));
    long token = session.answer(1).getLock().getFencingToken();
    for (int i = 1; i <= 8; i++) {
      long number = i;
      session.send(SessionRequest.newBuilder().setKeepAliveNumber(number).build());
      eventually(
          "keepalive " + number,
          WITHIN,
          () -> session.frames().stream().anyMatch(frame -> frame.getKeepAliveNumber() >= number),
          acknowledged -> acknowledged);
      eventuallyLater(Duration.ofMillis(250));
    }
    assertTrue(isHeld(token), "after twice its ttl");
    eventually("the lock is free", WITHIN, () -> isHeld(token), held -> !held);
    session.send(SessionRequest.newBuilder().setKeepAliveNumber(99).build());
    assertEquals(Status.Code.NOT_FOUND, session.ended().getCode());
  }

  /** Lets time pass for the node. */
  private static void eventuallyLater(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    eventually("time", WITHIN, System::nanoTime, now -> now - end > 0);
  }

  @Test
  void to_close_a_session_ends_its_grants_at_once() {
    SessionUnderTest session = open(60_000);
    session.send(lock(1, key, "h", 0));
    long token = session.answer(1).getLock().getFencingToken();
    session.send(SessionRequest.newBuilder().setClose(true).build());
    assertEquals(Status.Code.OK, session.ended().getCode());
    assertTrue(session.frames().get(session.frames().size() - 1).getClosed());
    assertFalse(isHeld(token));
  }

  @Test
  void a_client_that_half_closes_leaves_its_session_alive() {
    SessionUnderTest session = open(60_000);
    session.send(lock(1, key, "h", 0));
    long token = session.answer(1).getLock().getFencingToken();
    session.halfClose();
    assertEquals(Status.Code.OK, session.ended().getCode());
    assertTrue(isHeld(token));
  }

  @Test
  void a_newer_stream_replaces_the_older() {
    SessionUnderTest first = open(10_000);
    SessionUnderTest second =
        SessionUnderTest.opening(
            channel, SessionOpen.newBuilder().setSessionId(first.opened().getSessionId()).build());
    assertTrue(second.opened().getResumed());
    assertEquals(Status.Code.ABORTED, first.ended().getCode());
  }

  @Test
  void reads_renewals_and_cancels_are_answered_in_the_stream() {
    SessionUnderTest session = open(10_000);
    session.send(
        lock(1, key, "h", 0),
        Operation.newBuilder()
            .setNumber(2)
            .setLock(LockRequest.newBuilder().setKey(key + "/ttl").setHolderId("h").setTtlMs(5_000))
            .build());
    long token = session.answer(1).getLock().getFencingToken();
    long own = session.answer(2).getLock().getFencingToken();
    session.send(
        Operation.newBuilder()
            .setNumber(3)
            .setGetLock(GetLockRequest.newBuilder().setKey(key))
            .build(),
        Operation.newBuilder()
            .setNumber(4)
            .setValidate(ValidateRequest.newBuilder().setKey(key).setFencingToken(token))
            .build(),
        Operation.newBuilder()
            .setNumber(5)
            .setRenew(RenewRequest.newBuilder().setKey(key).setFencingToken(token))
            .build(),
        Operation.newBuilder()
            .setNumber(6)
            .setRenew(RenewRequest.newBuilder().setKey(key + "/ttl").setLockNumber(2))
            .build());
    assertEquals(token, session.answer(3).getGetLock().getLock().getHolders(0).getFencingToken());
    assertTrue(session.answer(4).getValidate().getHeldNow());
    assertEquals(0, session.answer(5).getRenew().getGrantedTtlMs(), "the session's lease counts");
    assertTrue(session.answer(5).getRenew().getHeldNow());
    assertEquals(5_000, session.answer(6).getRenew().getGrantedTtlMs());
    assertEquals(own, session.answer(6).getRenew().getFencingToken());
    session.send(
        Operation.newBuilder()
            .setNumber(7)
            .setCancel(CancelRequest.newBuilder().setKey(key).setLockNumber(1))
            .build()); // which a read that is still open may see
    assertTrue(session.answer(7).getCancel().getReleased());
    assertEquals(token, session.answer(7).getCancel().getFencingToken());
  }

  @Test
  void a_bad_operation_is_refused_and_a_bad_frame_ends_the_stream() {
    SessionUnderTest session = open(10_000);
    session.send(
        lock(1, "", "h", 0),
        lock(2, key, "", 0),
        unlock(3, key, 7),
        Operation.newBuilder()
            .setNumber(4)
            .setLock(LockRequest.newBuilder().setKey(key).setHolderId("h").setRequestId("r"))
            .build(),
        Operation.newBuilder().setNumber(5).build());
    assertEquals(Reason.REASON_KEY_INVALID, session.answer(1).getRefused().getReason());
    assertEquals(Reason.REASON_FIELD_REQUIRED, session.answer(2).getRefused().getReason());
    assertEquals(Reason.REASON_NOT_HOLDER, session.answer(3).getRefused().getReason());
    assertEquals(Reason.REASON_FIELD_NOT_ALLOWED, session.answer(4).getRefused().getReason());
    assertEquals(Reason.REASON_NOT_SUPPORTED, session.answer(5).getRefused().getReason());
    session.send(
        SessionRequest.newBuilder()
            .setLowestOpenNumber(6)
            .addOperations(lock(2, key, "h", 0))
            .build());
    eventually("number 2 twice", WITHIN, () -> session.count(2), count -> count == 2);
    session.send(lock(0, key, "h", 0));
    assertEquals(Status.Code.INVALID_ARGUMENT, session.ended().getCode());
  }

  @Test
  void a_number_that_is_open_is_of_no_use_for_another_key() {
    SessionUnderTest holder = open(30_000);
    holder.send(lock(1, key, "h", 0));
    long token = holder.answer(1).getLock().getFencingToken();
    SessionUnderTest session = open(30_000);
    session.send(lock(1, key, "h", 60_000));
    session.queued(1);
    session.send(lock(1, key + "/other", "h", 0), unlock(1, key, token));
    eventually("both are refused", WITHIN, () -> session.count(1), count -> count == 2);
    assertEquals(
        List.of(Reason.REASON_REQUEST_ID_REUSED, Reason.REASON_REQUEST_ID_REUSED),
        session.answers(1).map(answer -> answer.getRefused().getReason()).toList());
    holder.send(unlock(2, key, token));
    eventually("the first is answered", WITHIN, () -> session.count(1), count -> count == 3);
    assertTrue(session.answers(1).toList().get(2).getLock().getAcquired());
  }

  @Test
  void a_session_that_is_not_there_is_not_found() {
    SessionUnderTest session =
        SessionUnderTest.opening(channel, SessionOpen.newBuilder().setSessionId(77).build());
    assertEquals(Status.Code.NOT_FOUND, session.ended().getCode());
    SessionUnderTest wrong =
        SessionUnderTest.opening(channel, SessionOpen.newBuilder().setClusterId(77).build());
    assertEquals(Status.Code.FAILED_PRECONDITION, wrong.ended().getCode());
    SessionUnderTest none = SessionUnderTest.opening(channel, SessionRequest.getDefaultInstance());
    assertEquals(Status.Code.INVALID_ARGUMENT, none.ended().getCode());
  }

  private boolean isHeld(long token) {
    return LockServiceGrpc.newBlockingStub(channel)
        .validate(ValidateRequest.newBuilder().setKey(key).setFencingToken(token).build())
        .getHeldNow();
  }

  private static SessionUnderTest open(long ttlMs) {
    return SessionUnderTest.opening(channel, SessionOpen.newBuilder().setTtlMs(ttlMs).build());
  }
}
