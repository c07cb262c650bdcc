package io.holdfast.e2e;

import static io.holdfast.e2e.Asked.answer;
import static io.holdfast.e2e.Asked.reason;
import static io.holdfast.e2e.ClusterUnderTest.WITHIN;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.holdfast.v1.Event;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.Holder;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseRecord;
import io.holdfast.v1.LeaseTimeToLiveRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.LockRecord;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Reason;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.v1.ValidateResponse;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads and watches at any node of three: what they see of what was done at another. */
class ReadsOverTheClusterTest {

  private static final AtomicLong KEYS = new AtomicLong();

  private static ClusterUnderTest cluster;

  private final String key = "reads/" + KEYS.incrementAndGet();

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.shared();
  }

  @Test
  void the_rest_of_a_ttl_is_told_when_asked_for() {
    long lease =
        cluster
            .node(0)
            .leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(30_000).build())
            .getLeaseId();
    cluster.node(0).lock(Asked.lock(key + "/own", "h").setTtlMs(20_000).build());
    cluster.node(1).lock(Asked.onLease(key + "/shared", "h", lease).build());
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      assertLeft(20_000, readLeft(node, key + "/own"));
      assertLeft(30_000, readLeft(node, key + "/shared"));
      assertFalse(
          cluster.get(node, key + "/own").getLock().getHolders(0).hasRemainingTtlMs(),
          "not asked for");
      ListLocksResponse listed =
          cluster
              .node(node)
              .listLocks(
                  ListLocksRequest.newBuilder().setPrefix(key + "/").setRemainingTtl(true).build());
      assertLeft(20_000, listed.getEntries(0).getLock().getHolders(0));
      assertLeft(30_000, listed.getEntries(1).getLock().getHolders(0));
      LeaseRecord record =
          cluster
              .node(node)
              .leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder().setLeaseId(lease).build())
              .getLease();
      assertTrue(record.getRemainingTtlMs() > 0 && record.getRemainingTtlMs() <= 30_000);
      long endsInMs = record.getExpiryUnixMs() - System.currentTimeMillis();
      assertTrue(endsInMs > 0 && endsInMs <= 30_000, () -> "ends in " + endsInMs);
    }
  }

  private static Holder readLeft(int node, String key) {
    return cluster
        .node(node)
        .getLock(GetLockRequest.newBuilder().setKey(key).setRemainingTtl(true).build())
        .getLock()
        .getHolders(0);
  }

  private static void assertLeft(long ttlMs, Holder holder) {
    assertTrue(holder.hasRemainingTtlMs(), holder::toString);
    assertTrue(
        holder.getRemainingTtlMs() > 0 && holder.getRemainingTtlMs() <= ttlMs, holder::toString);
  }

  @Test
  void a_refusal_says_what_is_left_of_the_holder_s_time() {
    long lease =
        cluster
            .node(0)
            .leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(30_000).build())
            .getLeaseId();
    cluster.node(0).lock(Asked.lock(key + "/own", "h").setTtlMs(20_000).build());
    cluster.node(1).lock(Asked.onLease(key + "/shared", "h", lease).build());
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      assertLeft(
          20_000,
          cluster.node(node).tryLock(Asked.lock(key + "/own", "other").build()).getHolder());
      assertLeft(
          30_000,
          cluster.node(node).tryLock(Asked.lock(key + "/shared", "other").build()).getHolder());
    }
  }

  @Test
  void a_read_sees_what_was_answered_before_at_another_node() {
    for (int round = 0; round < 20; round++) {
      int writer = round % ClusterUnderTest.SIZE;
      LockResponse held = cluster.node(writer).lock(Asked.lock(key, "h" + round).build());
      for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
        GetLockResponse read = cluster.get(node, key);
        assertEquals(held.getFencingToken(), read.getLock().getHolders(0).getFencingToken());
        assertTrue(read.getHeader().getRevision() >= held.getHeader().getRevision());
        assertEquals(held.getHeader().getRevision(), read.getLock().getModRevision());
      }
      cluster.node(writer).unlock(Asked.unlock(key, held.getFencingToken()));
      for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
        assertFalse(cluster.get(node, key).hasLock());
      }
    }
  }

  @Test
  void a_serializable_read_gets_there_and_never_sees_what_was_not() {
    GetLockRequest read = GetLockRequest.newBuilder().setKey(key).setSerializable(true).build();
    LockResponse held = cluster.node(0).lock(Asked.lock(key, "anna").build());
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      int asked = node;
      GetLockResponse seen =
          eventually(
              "node " + node + " has heard",
              WITHIN,
              () -> cluster.node(asked).getLock(read),
              GetLockResponse::hasLock);
      assertEquals(held.getFencingToken(), seen.getLock().getHolders(0).getFencingToken());
    }
  }

  @Test
  void a_record_tells_how_the_lock_is_held() {
    LockResponse held =
        cluster
            .node(0)
            .lock(
                Asked.lock(key, "anna")
                    .setClientId("c")
                    .setMetadata(ByteString.copyFromUtf8("host-1"))
                    .build());
    LockRecord record = cluster.get(1, key).getLock();
    assertEquals(key, record.getKey());
    assertEquals(held.getHeader().getRevision(), record.getCreateRevision());
    assertEquals(1, record.getVersion());
    assertEquals("c", record.getHolders(0).getClientId());
    assertEquals("host-1", record.getHolders(0).getMetadata().toStringUtf8());
    assertEquals(Asked.LONG_TTL_MS, record.getHolders(0).getGrantedTtlMs());
    ListenableFuture<LockResponse> waiting =
        cluster.future(2).lock(Asked.waiting(key, "bert").build());
    cluster.awaitWaiters(1, key, 1);
    cluster.node(0).unlock(Asked.unlock(key, held.getFencingToken()));
    LockResponse granted = answer(waiting);
    LockRecord handed = cluster.get(1, key).getLock();
    assertEquals(record.getCreateRevision(), handed.getCreateRevision(), "never free between");
    assertEquals(granted.getHeader().getRevision(), handed.getModRevision());
    assertEquals(2, handed.getVersion());
  }

  @Test
  void a_token_is_held_or_not() {
    LockResponse held = cluster.node(0).lock(Asked.lock(key, "anna").build());
    long token = held.getFencingToken();
    ValidateResponse yes = validate(1, token);
    assertTrue(yes.getHeldNow());
    assertEquals(token, yes.getNewestFencingToken());
    assertEquals("anna", yes.getHolder().getHolderId());
    assertFalse(yes.getHolder().hasRemainingTtlMs());
    ValidateResponse no = validate(2, token + 1);
    assertFalse(no.getHeldNow() || no.hasHolder());
    assertEquals(token, no.getNewestFencingToken());
    cluster.node(0).unlock(Asked.unlock(key, token));
    ValidateResponse free = validate(1, token);
    assertFalse(free.getHeldNow());
    assertEquals(0, free.getNewestFencingToken());
  }

  @Test
  void locks_are_listed_by_prefix_in_ordered_pages() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      String each = "%s/%02d".formatted(key, i);
      keys.add(each);
      assertTrue(cluster.node(i % 3).lock(Asked.lock(each, "h").build()).getAcquired());
    }
    cluster.node(0).lock(Asked.lock(key + "0", "h").build()); // next to the prefix
    List<ListenableFuture<LockResponse>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(cluster.future(i).lock(Asked.waiting(keys.get(7), "w" + i).build()));
      cluster.awaitWaiters(0, keys.get(7), i + 1);
    }
    List<ListLocksResponse.Entry> listed = list(key + "/", 10);
    assertEquals(keys, listed.stream().map(entry -> entry.getLock().getKey()).toList());
    ListLocksResponse.Entry queued = listed.get(7);
    assertEquals(3, queued.getWaiterCount());
    assertEquals(2, queued.getWaitersCount());
    assertEquals("w1", queued.getWaiters(1).getHolderId());
    assertEquals(2, queued.getWaiters(1).getPosition());
    waiting.forEach(wait -> wait.cancel(/* mayInterruptIfRunning= */ true));
  }

  @Test
  void a_long_prefix_of_long_keys_is_listed_in_pages_too() {
    String prefix = key + "p".repeat(505 - key.length());
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String each = prefix + "k".repeat(511 - prefix.length()) + i;
      keys.add(each);
      cluster.node(0).lock(Asked.lock(each, "h").build());
    }
    assertEquals(keys, list(prefix, 1).stream().map(entry -> entry.getLock().getKey()).toList());
  }

  @Test
  void a_page_token_belongs_to_its_list() {
    cluster.node(0).lock(Asked.lock(key + "/1", "h").build());
    cluster.node(0).lock(Asked.lock(key + "/2", "h").build());
    ListLocksRequest first =
        ListLocksRequest.newBuilder().setPrefix(key + "/").setPageSize(1).build();
    ByteString next = cluster.node(0).listLocks(first).getNextPageToken();
    ListLocksRequest other = first.toBuilder().setPrefix(key).setPageToken(next).build();
    assertEquals(Reason.REASON_CURSOR_INVALID, reason(() -> cluster.node(1).listLocks(other)));
    ListLocksRequest noise =
        first.toBuilder().setPageToken(ByteString.copyFromUtf8("noise")).build();
    assertEquals(Reason.REASON_CURSOR_INVALID, reason(() -> cluster.node(1).listLocks(noise)));
  }

  @Test
  void list_then_watch_misses_nothing_while_all_goes_on() {
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Void> busy =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; !isOver.get(); i++) {
                String each = key + "/" + i % 20;
                LockResponse turn = cluster.node(i % 3).tryLock(Asked.lock(each, "h" + i).build());
                if (turn.getAcquired() && i % 3 > 0) {
                  cluster.node(0).unlock(Asked.unlock(each, turn.getFencingToken()));
                } else if (!turn.getAcquired()) {
                  cluster.node(1).unlock(Asked.unlock(each, turn.getHolder().getFencingToken()));
                }
              }
            });
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      Map<String, LockRecord> known = new HashMap<>();
      ListLocksResponse listed =
          cluster
              .node(node)
              .listLocks(
                  ListLocksRequest.newBuilder().setPrefix(key + "/").setPageSize(1_000).build());
      listed
          .getEntriesList()
          .forEach(entry -> known.put(entry.getLock().getKey(), entry.getLock()));
      try (WatchUnderTest watch =
          WatchUnderTest.created(
              cluster.stream((node + 1) % ClusterUnderTest.SIZE),
              WatchCreate.newBuilder()
                  .setPrefix(key + "/")
                  .setStartRevision(listed.getHeader().getRevision() + 1)
                  .setPrevLock(true))) {
        watch.awaitEvents(100);
        for (Event event : watch.events()) {
          assertContinues(known, event);
        }
      }
    }
    isOver.set(true);
    busy.join();
  }

  /**
   * Each event begins where the one before of its lock ended: none is missing, none comes twice.
   */
  private static void assertContinues(Map<String, LockRecord> known, Event event) {
    LockRecord lock = event.getLock();
    LockRecord before = known.get(lock.getKey());
    assertEquals(before != null, event.hasPrevLock(), () -> known + " then " + event);
    if (before != null) {
      assertEquals(before.getModRevision(), event.getPrevLock().getModRevision());
      assertTrue(lock.getModRevision() > before.getModRevision());
    }
    if (event.getType() == Event.Type.TYPE_DELETE) {
      assertNotNull(known.remove(lock.getKey()));
    } else {
      assertEquals(before == null ? 1 : before.getVersion() + 1, lock.getVersion());
      known.put(lock.getKey(), lock);
    }
  }

  @Test
  void a_watch_from_an_old_revision_tells_all_since_at_any_node() {
    List<Long> revisions = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      LockResponse held = cluster.node(i % 3).lock(Asked.lock(key, "h" + i).build());
      revisions.add(held.getHeader().getRevision());
      cluster.node(0).lock(Asked.lock(key + "/" + i, "h").build());
      revisions.add(
          cluster
              .node(1)
              .unlock(Asked.unlock(key, held.getFencingToken()))
              .getHeader()
              .getRevision());
    }
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      try (WatchUnderTest one = from(node, revisions.get(0), WatchCreate.newBuilder().setKey(key));
          WatchUnderTest all =
              from(node, revisions.get(0), WatchCreate.newBuilder().setPrefix(key))) {
        assertEquals(revisions, revisions(one.awaitEvents(20)));
        List<Long> both = revisions(all.awaitEvents(30));
        assertEquals(both.stream().distinct().sorted().toList(), both);
        assertTrue(both.containsAll(revisions));
      }
      try (WatchUnderTest part =
          from(node, revisions.get(7), WatchCreate.newBuilder().setKey(key))) {
        assertEquals(revisions.subList(7, 20), revisions(part.awaitEvents(13)));
      }
    }
  }

  private static WatchUnderTest from(int node, long revision, WatchCreate.Builder create) {
    return WatchUnderTest.created(cluster.stream(node), create.setStartRevision(revision));
  }

  private static List<Long> revisions(List<Event> events) {
    return events.stream().map(event -> event.getLock().getModRevision()).toList();
  }

  @Test
  void a_progress_mark_says_how_far_a_silent_watch_has_come() {
    long revision = cluster.node(0).lock(Asked.lock(key, "anna").build()).getHeader().getRevision();
    try (WatchUnderTest watch =
        WatchUnderTest.created(
            cluster.stream(1), WatchCreate.newBuilder().setKey(key + "!").setWatchId(7))) {
      watch.progress(7);
      List<WatchResponse> told = watch.await("a mark", all -> all.size() == 2);
      assertEquals(0, told.get(1).getEventsCount());
      assertFalse(told.get(1).getCreated() || told.get(1).getCanceled());
      assertTrue(told.get(1).getHeader().getRevision() >= revision);
    }
  }

  private ValidateResponse validate(int node, long token) {
    return cluster
        .node(node)
        .validate(ValidateRequest.newBuilder().setKey(key).setFencingToken(token).build());
  }

  private static List<ListLocksResponse.Entry> list(String prefix, int pageSize) {
    List<ListLocksResponse.Entry> entries = new ArrayList<>();
    ByteString next = ByteString.EMPTY;
    int node = 0;
    do {
      ListLocksResponse page =
          cluster
              .node(node++ % ClusterUnderTest.SIZE)
              .listLocks(
                  ListLocksRequest.newBuilder()
                      .setPrefix(prefix)
                      .setPageSize(pageSize)
                      .setPageToken(next)
                      .setWaiterLimit(2)
                      .build());
      entries.addAll(page.getEntriesList());
      next = page.getNextPageToken();
    } while (!next.isEmpty());
    return entries;
  }
}
