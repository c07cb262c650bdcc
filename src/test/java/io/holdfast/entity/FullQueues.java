package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.LeaseLife;
import io.holdfast.journal.TestAppends;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.LockAnswer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/** Queues of a lock at their bounds, and the checks of their removal. */
final class FullQueues {

  static final int LONGEST = 10_000;

  /** The longest entry of a node's log. */
  static final int MAX_ENTRY_BYTES = 4 << 20;

  static final Lifetime OWN = new Lifetime.Own(new Ttl(60_000));
  static final LockCommand HOLDER = acquire(client(0), "holder", OWN, 0, Metadata.NONE);

  private static final int TOGETHER = 64;

  /** The most bytes of an entry beside its appends. */
  private static final int ENTRY_HEAD = 64;

  private FullQueues() {}

  /**
   * Has the lock remove its whole queue, and checks that it does so once, and within all bounds.
   */
  static void removeAll(QueuedLock lock, int length) {
    long writes = lock.writes();
    int told = lock.answers.size();
    LockState before = lock.state();
    lock.removeOrphans();
    assertEquals(writes + 1, lock.writes());
    assertEquals(length, lock.lastEvents());
    assertEquals(new LockState(before.holders(), List.of()), lock.state());
    holdsItsBounds(lock);
    Set<RequestId> ended = new HashSet<>();
    for (LockAnswer answer : lock.answers.subList(told, lock.answers.size())) {
      Outcome.Refused refused = (Outcome.Refused) answer.outcome();
      Refusal.LeftQueue left = (Refusal.LeftQueue) refused.refusal();
      assertEquals(LeaveCause.LEASE_ENDED, left.cause());
      ended.add(left.request());
    }
    assertEquals(length, ended.size(), "each is told once");
    assertEquals(length, lock.answers.size() - told);
    lock.removeOrphans();
    assertEquals(writes + 1, lock.writes(), "nothing is left to remove");
    lock.restart();
    assertEquals(new LockState(before.holders(), List.of()), lock.state());
  }

  static void holdsItsBounds(QueuedLock lock) {
    String bytes = lock.lastBytes() + " bytes, counted as " + lock.lastCountedBytes();
    assertTrue(lock.lastCountedBytes() <= TestAppends.MAX_BYTES, bytes);
    assertTrue(lock.lastBytes() <= lock.lastCountedBytes() + ENTRY_HEAD, bytes);
    assertTrue(lock.lastBytes() <= MAX_ENTRY_BYTES, bytes);
    assertEquals(lock.state(), lock.read());
  }

  /** Fills a queue until a request is refused. Returns its length. */
  static int fill(QueuedLock lock, IntFunction<LockCommand> request) {
    int next = 1;
    while (true) {
      List<LockCommand> some = new ArrayList<>();
      for (int i = 0; i < TOGETHER; i++) {
        some.add(request.apply(next++));
      }
      int told = lock.answers.size();
      lock.tell(some);
      int length = lock.state().waiters().size();
      if (length < next - 1) {
        Outcome refused = lock.answers.get(told).outcome();
        assertEquals(new Outcome.Refused(new Refusal.QueueFull(length)), refused);
        return length;
      }
    }
  }

  static void tell(QueuedLock lock, List<LockCommand> all) {
    for (int i = 0; i < all.size(); i += TOGETHER) {
      lock.tell(all.subList(i, Math.min(i + TOGETHER, all.size())));
    }
  }

  static LockCommand longest(int number, LeaseLife lease) {
    return acquire(client(128), name(number), QueuedLock.on(lease), number, Metadata.NONE);
  }

  /** A request with the longest name, and little else: the journal keeps most of it. */
  static LockCommand wordy(int number, LeaseLife lease) {
    return acquire(
        new RequestId.Named(client(1), name(number)),
        HolderId.of(client(1), "h" + number),
        QueuedLock.on(lease),
        number,
        Metadata.NONE);
  }

  static String name(int number) {
    return "%0128d".formatted(number);
  }

  static ClientId client(int length) {
    return new ClientId("c".repeat(length));
  }

  static LockCommand acquire(
      ClientId client, String name, Lifetime life, int content, Metadata metadata) {
    RequestId request = new RequestId.Named(client, name);
    return acquire(request, HolderId.of(client, name), life, content, metadata);
  }

  static LockCommand acquire(
      RequestId request, HolderId holder, Lifetime life, int content, Metadata metadata) {
    return new LockCommand.Acquire(
        new RequestHeader(request, content),
        holder,
        life,
        new WaitTimeout(WaitTimeout.MAX_MILLIS),
        /* reenter= */ false,
        metadata);
  }
}
