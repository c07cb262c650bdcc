package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.id.LeaseLife;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.journal.state.AttachedId;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.JournalState;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.SnapshotReader;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.LockState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Writes of a lock with a long queue, and recoveries from them. */
class QueuedLockTest {

  private static final int[] LENGTHS = {10, 100, 1_000, 10_000};

  @Test
  void the_bytes_of_a_hand_over_do_not_grow_with_the_queue() {
    long[] bytes = new long[LENGTHS.length];
    long[] plain = new long[LENGTHS.length];
    for (int place = 0; place < LENGTHS.length; place++) {
      int length = LENGTHS[place];
      plain[place] = Long.MAX_VALUE;
      QueuedLock lock = new QueuedLock(10_000);
      List<Lifetime> lives = new ArrayList<>();
      for (int i = 0; i <= length; i++) {
        lives.add(QueuedLock.on(lock.lease(1_000_000 + i)));
      }
      lock.enter(lives);
      assertEquals(length, lock.state().waiters().size());
      long before = lock.writtenBytes();
      int statesBefore = lock.states();
      int count = 0;
      while (lock.states() < statesBefore + 2) {
        lock.next(lives.get(count++ % lives.size()));
        plain[place] = Math.min(plain[place], lock.lastBytes());
      }
      bytes[place] = (lock.writtenBytes() - before) / count;
      assertEquals(lock.state(), lock.read());
    }
    String all =
        "bytes of a hand-over with states %s, and without %s"
            .formatted(Arrays.toString(bytes), Arrays.toString(plain));
    for (int place = 1; place < LENGTHS.length; place++) {
      assertTrue(bytes[place] < 4 * bytes[0] && bytes[place] < 2 * bytes[1], all);
      assertTrue(plain[place] < 3 * plain[0] / 2, all);
    }
  }

  @Test
  void ten_thousand_of_ordinary_size_wait_and_one_more_is_refused() {
    QueuedLock lock = new QueuedLock(10_000);
    Lifetime session = QueuedLock.on(lock.lease(1_000_000));
    List<Lifetime> all = new ArrayList<>();
    for (int i = 0; i < 10_002; i++) {
      all.add(session);
    }
    lock.enter(all);
    assertEquals(10_000, lock.state().waiters().size());
    Outcome last = lock.answers.get(lock.answers.size() - 1).outcome();
    assertEquals(new Outcome.Refused(new Refusal.QueueFull(10_000)), last);
    lock.restart();
    assertEquals(10_000, lock.state().waiters().size());
  }

  @Test
  void a_recovery_finds_the_queue_whatever_came_and_went() {
    Seeds.each(40, random -> new Life(random).live());
  }

  /** A queue in which some enter, leave, are granted the lock, and lose their leases. */
  private static final class Life {

    private final SplittableRandom random;
    private final QueuedLock lock = new QueuedLock(500);
    private final List<LeaseLife> leases = new ArrayList<>();
    private long nextLease = 1;

    Life(SplittableRandom random) {
      this.random = random;
    }

    void live() {
      for (int i = random.nextInt(1, 40); i >= 0; i--) {
        leases.add(lock.lease(nextLease++));
      }
      lock.tell(List.of(lock.acquire(life())));
      enter(random.nextInt(300));
      for (int i = random.nextInt(100, 400); i > 0; i--) {
        step();
        compare(lock.store.version(), lock.state());
        if (random.nextInt(20) == 0) {
          compare(copy(lock.store.version()).version(), lock.state());
        }
        if (random.nextInt(30) == 0) {
          lock.restart();
        }
      }
    }

    private Lifetime life() {
      return leases.isEmpty() || random.nextInt(8) == 0
          ? new Lifetime.Own(new Ttl(10_000))
          : QueuedLock.on(leases.get(random.nextInt(leases.size())));
    }

    private void enter(int count) {
      List<Lifetime> lives = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        lives.add(life());
      }
      lock.enter(lives);
    }

    private void step() {
      List<Waiter> before = List.copyOf(lock.state().waiters());
      List<LeaseLife> ended = new ArrayList<>();
      if (random.nextInt(10) == 0 && !leases.isEmpty()) {
        for (int i = random.nextInt(1, 3); i > 0 && !leases.isEmpty(); i--) {
          ended.add(leases.remove(random.nextInt(leases.size())));
          lock.end(ended.get(ended.size() - 1));
        }
      }
      if (random.nextInt(10) == 0) {
        leases.add(lock.lease(nextLease++));
      }
      List<Waiter> living =
          before.stream().filter(waiter -> ended.stream().noneMatch(waiter.life()::isOn)).toList();
      if (!living.isEmpty() && random.nextInt(3) == 0) {
        leave(living.get(random.nextInt(living.size())).request().id());
      } else if (lock.state().isFree()) {
        lock.tell(List.of(lock.acquire(life())));
      } else {
        lock.tell(List.of(lock.acquire(life()), lock.release()));
      }
    }

    private void leave(RequestId request) {
      lock.tell(List.of(new LockCommand.Cancel(request)));
      assertEquals(0, lock.state().position(request));
    }

    private void compare(JournalVersion version, LockState state) {
      assertEquals(state, LockHistoryReader.read(version, QueuedLock.SHARD, QueuedLock.ID));
      for (LeaseLife lease : leases) {
        boolean hangs =
            state.waiters().hangsOn(lease)
                || state.holders().stream().anyMatch(holder -> holder.life().isOn(lease));
        assertEquals(
            hangs ? List.of(new AttachedId(QueuedLock.SHARD, QueuedLock.ID)) : List.of(),
            version.attachedTo(lease).stream()
                .filter(each -> each.persistenceId().equals(QueuedLock.ID))
                .toList());
      }
      for (Waiter waiter : state.waiters()) { // whoever lost the lease has left
        assertTrue(waiter.life().lease().isEmpty() || leases.contains(waiter.life().lease().get()));
      }
    }
  }

  private static JournalState copy(JournalVersion version) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    version.writeTo((some, from, to) -> bytes.write(some, from, to - from));
    ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
    return SnapshotReader.read((into, from, to) -> in.read(into, from, to - from), Bounds.DEFAULT);
  }
}
