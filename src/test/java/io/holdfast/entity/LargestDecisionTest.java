package io.holdfast.entity;

import static io.holdfast.entity.FullQueues.HOLDER;
import static io.holdfast.entity.FullQueues.LONGEST;
import static io.holdfast.entity.FullQueues.OWN;
import static io.holdfast.entity.FullQueues.acquire;
import static io.holdfast.entity.FullQueues.client;
import static io.holdfast.entity.FullQueues.fill;
import static io.holdfast.entity.FullQueues.holdsItsBounds;
import static io.holdfast.entity.FullQueues.longest;
import static io.holdfast.entity.FullQueues.name;
import static io.holdfast.entity.FullQueues.removeAll;
import static io.holdfast.entity.FullQueues.tell;
import static io.holdfast.entity.FullQueues.wordy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.ChangeFeed;
import io.holdfast.journal.InMemoryJournalStore;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.RequestKey;
import io.holdfast.keeper.DeadlineKeeper;
import io.holdfast.keeper.ShardDeadline;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.lock.rules.RecordedOutcome;
import io.holdfast.wire.EntityIds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests the largest decisions: the end of a lease, or of many, by which a whole queue lives. */
class LargestDecisionTest {

  private static final com.sun.management.ThreadMXBean THREAD =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void a_lease_ends_a_full_queue_of_the_longest_names() {
    QueuedLock lock = new QueuedLock(LONGEST);
    LeaseLife lease = lock.lease(1);
    lock.tell(List.of(HOLDER));
    int length = fill(lock, number -> longest(number, lease));
    assertTrue(length >= 3_600 && length < LONGEST, () -> length + " wait");
    lock.end(lease);
    removeAll(lock, length);
    assertEquals(1, lock.state().holders().size());
    assertEquals(length + 1, lock.store.version().requestCount(QueuedLock.SHARD));
    assertEquals(LeaveCause.LEASE_ENDED, recorded(lock, client(128), name(length)));
  }

  @Test
  void a_lease_ends_a_full_queue_of_short_names() {
    QueuedLock lock = new QueuedLock(LONGEST);
    LeaseLife lease = lock.lease(Long.MAX_VALUE);
    lock.tell(List.of(HOLDER));
    int length = fill(lock, number -> wordy(number, lease));
    assertEquals(LONGEST, length);
    lock.end(lease);
    removeAll(lock, length);
  }

  @Test
  void half_of_a_full_queue_leaves_and_half_remains_in_the_state() {
    QueuedLock lock = new QueuedLock(LONGEST);
    LeaseLife lease = lock.lease(1);
    lock.tell(List.of(HOLDER));
    Metadata metadata = Metadata.of(new byte[LockMachine.MAX_QUEUE_METADATA / 6]);
    int length =
        fill(
            lock,
            number ->
                acquire(
                    client(100),
                    "%0100d".formatted(number),
                    number % 2 == 0 ? OWN : QueuedLock.on(lease),
                    number,
                    number <= 6 ? metadata : Metadata.NONE));
    assertEquals(LockMachine.MAX_QUEUE_METADATA, lock.state().waiters().metadataBytes());
    lock.end(lease);
    int statesBefore = lock.states();
    lock.removeOrphans();
    int left = lock.state().waiters().size();
    assertTrue(left == length / 2, () -> left + " of " + length + " are left");
    assertEquals(statesBefore + 1, lock.states());
    holdsItsBounds(lock);
  }

  @Test
  void the_first_that_lives_gets_the_lock_in_the_same_decision() {
    List<Change> changes = new ArrayList<>();
    InMemoryJournalStore store =
        new InMemoryJournalStore(Bounds.DEFAULT, shard -> QueuedLock.EPOCH);
    store.follow(collecting(changes));
    QueuedLock lock = new QueuedLock(LONGEST, store);
    LeaseLife lease = lock.lease(1);
    Lifetime life = QueuedLock.on(lease);
    List<LockCommand> all = new ArrayList<>();
    for (int i = 0; i < LONGEST; i++) { // the first of them holds the lock
      all.add(acquire(client(8), "name-" + i, life, i, Metadata.NONE));
    }
    all.add(acquire(client(8), "lives", OWN, 1, Metadata.NONE));
    tell(lock, all);
    lock.end(lease);
    changes.clear();
    long revision = store.version().revision().value();
    int told = lock.answers.size();
    lock.removeOrphans();
    assertEquals(LONGEST, lock.lastEvents(), "all but one leave, and that one hands over");
    assertEquals("lives", lock.state().holder().orElseThrow().id().value());
    assertTrue(lock.state().waiters().isEmpty());
    assertEquals(LONGEST, lock.answers.size() - told);
    assertEquals(1, changes.size());
    assertEquals(revision + 1, changes.get(0).revision().value());
    assertTrue(changes.get(0).before() == null && changes.get(0).after() != null);
    holdsItsBounds(lock);
  }

  @Test
  void ten_thousand_leases_end_before_the_lock_decides() {
    QueuedLock lock = new QueuedLock(LONGEST);
    lock.tell(List.of(HOLDER));
    List<LeaseLife> leases = new ArrayList<>();
    int length =
        fill(
            lock,
            number -> {
              leases.add(lock.lease(Long.MAX_VALUE - number));
              return wordy(number, leases.get(leases.size() - 1));
            });
    assertEquals(LONGEST, length);
    leases.forEach(lock::end);
    removeAll(lock, length);
    for (LeaseLife lease : leases) {
      assertEquals(0, lock.store.version().attachedCount(lease));
    }
  }

  @Test
  void a_session_that_lives_on_keeps_a_bounded_number_of_outcomes() {
    QueuedLock lock = new QueuedLock(LONGEST);
    LeaseLife session = lock.lease(1);
    LeaseLife lease = lock.lease(2);
    lock.tell(List.of(HOLDER));
    int length =
        fill(
            lock,
            number ->
                acquire(
                    new RequestId.Numbered(client(8), session, number),
                    new HolderId(client(8), session.id(), "name-" + number),
                    QueuedLock.on(lease),
                    number,
                    Metadata.NONE));
    assertEquals(LONGEST, length);
    lock.end(lease);
    removeAll(lock, length);
    int kept = 0;
    for (int number = 1; number <= length; number++) {
      RequestKey request = new RequestKey.Numbered(session, number, 0);
      kept += lock.store.version().request(QueuedLock.SHARD, request).isPresent() ? 1 : 0;
    }
    assertEquals(Bounds.DEFAULT.outcomes(), kept);
    lock.end(session); // with all that is kept
  }

  @Test
  void the_cost_of_a_decision_grows_with_the_queue_and_no_faster() {
    long few = costOfEnd(LONGEST / 10);
    long many = costOfEnd(LONGEST);
    long ratio = many / few; // about 11; one look of each waiter at each other: 100
    assertTrue(ratio < 25, () -> ratio + " times the bytes for ten times the waiters");
  }

  @Test
  void the_end_of_a_session_frees_all_its_locks_in_turns() {
    InMemoryJournalStore store =
        new InMemoryJournalStore(Bounds.DEFAULT, shard -> QueuedLock.EPOCH);
    List<Change> changes = new ArrayList<>();
    store.follow(collecting(changes));
    DeadlineKeeper keeper = QueuedLock.keeper();
    store.listen(
        end ->
            end.had().stream()
                .flatMap(each -> EntityIds.lock(each.persistenceId()).stream())
                .forEach(keeper::orphans));
    Map<String, QueuedLock> locks = new LinkedHashMap<>();
    QueuedLock first = new QueuedLock(LONGEST, store, keeper, "lease");
    LeaseLife lease = first.lease(1);
    int count = 2_000;
    for (int i = 0; i < count; i++) { // holds one half of them, and waits for the other
      QueuedLock lock = new QueuedLock(LONGEST, store, keeper, "lock-" + i);
      locks.put("lock-" + i, lock);
      Lifetime life = QueuedLock.on(lease);
      ClientId client = new ClientId("client-" + i);
      boolean holds = i % 2 == 0;
      lock.tell(
          List.of(
              acquire(client, "first", holds ? life : OWN, 1, Metadata.NONE),
              acquire(client, "second", holds ? OWN : life, 2, Metadata.NONE)));
    }
    assertEquals(count, store.version().attachedCount(lease));
    changes.clear();
    first.end(lease);
    assertEquals(count / 2 + 1, changes.size(), "one for each lock that it held, and its own");
    assertEquals(1, new HashSet<>(changes.stream().map(Change::revision).toList()).size());
    changes.clear();
    int turns = 0;
    int removed = 0;
    for (List<ShardDeadline> due = keeper.due(); !due.isEmpty(); due = keeper.due()) {
      assertTrue(due.size() <= 64, () -> "more at once than the log bears");
      turns++;
      for (ShardDeadline each : due) {
        String key = ((ShardDeadline.Orphans) each).key().value();
        QueuedLock lock = Objects.requireNonNull(locks.get(key));
        lock.removeOrphans();
        removed++;
        assertTrue(lock.lastBytes() < 1_000, () -> lock.lastBytes() + " bytes");
        assertEquals(lock.state(), lock.read());
        assertEquals(0, lock.state().waiters().size());
        assertEquals(OWN, lock.state().holder().orElseThrow().life());
      }
    }
    assertEquals(count, removed);
    assertTrue(turns >= count / 64, turns + " turns");
    assertEquals(count / 2, changes.size(), "a hand-over of each lock that it held");
  }

  /** Returns the bytes that the end of a queue's lease allocates. */
  private static long costOfEnd(int length) {
    QueuedLock lock = new QueuedLock(length);
    LeaseLife lease = lock.lease(1);
    Lifetime life = QueuedLock.on(lease);
    lock.tell(List.of(HOLDER));
    fill(lock, number -> acquire(client(8), "name-" + number, life, number, Metadata.NONE));
    lock.end(lease);
    long thread = Thread.currentThread().getId();
    long before = THREAD.getThreadAllocatedBytes(thread);
    lock.removeOrphans();
    long bytes = THREAD.getThreadAllocatedBytes(thread) - before;
    assertEquals(length, lock.lastEvents());
    return bytes;
  }

  private static LeaveCause recorded(QueuedLock lock, ClientId client, String name) {
    RequestHistory history =
        new RequestHistory(lock.store.version(), RequestScope.of(QueuedLock.SHARD, QueuedLock.ID));
    RecordedOutcome outcome =
        history.recorded(new RequestId.Named(client, name)).orElseThrow(AssertionError::new);
    return ((RecordedOutcome.NotGranted) outcome).cause();
  }

  private static ChangeFeed.Follower collecting(List<Change> changes) {
    return new ChangeFeed.Follower() {
      @Override
      public void changed(List<Change> more, Revision revision) {
        changes.addAll(more);
      }

      @Override
      public void restored(Revision revision) {
        throw new AssertionError(revision);
      }
    };
  }
}
