package io.holdfast.bench.locks;

import io.holdfast.v1.LockResponse;
import io.holdfast.v1.UnlockResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Waiters for one key: the holder releases it at once, and waits in the queue again. Measures the
 * time of a hand-over: from the request to release to the next grant.
 */
final class HotKey extends Load {

  private static final long PATIENCE_MS = 3_600_000;

  private final Door door;
  private final Truth truth;

  /** By session: only the answers of one stream have an order. */
  private final List<Deque<Integer>> queues = new ArrayList<>();

  private long releasedAt;

  /**
   * One holder of the key, and other waiters.
   *
   * @param door each of so many seats as {@link Sessions} says
   */
  HotKey(Door door, int waiters, Truth truth, Findings findings) {
    super(waiters + 1, door::flush, findings);
    this.door = door;
    this.truth = truth;
    for (int session = 0; session <= Sessions.of(waiters); session++) {
      queues.add(new ArrayDeque<>());
    }
  }

  @Override
  void begin(int seat) {
    new Waiter(seat).ask();
  }

  private synchronized void queued(int seat) {
    queues.get(Sessions.of(seat)).add(seat);
  }

  /** Grants to a session come in the order of its queued answers. */
  private synchronized void granted(int seat, LockResponse answer) {
    Deque<Integer> queue = queues.get(Sessions.of(seat));
    if (answer.getWaited() || answer.getRepeated()) { // nodes resend requests, also of waiters
      Integer first = queue.poll();
      if (first == null || first != seat) {
        findings.wrong("I6: [" + seat + "] was granted, and [" + first + "] was the first waiter");
        queue.remove(seat);
      }
      took(System.nanoTime() - releasedAt);
    } else if (!queue.isEmpty()) {
      findings.wrong("I6: [" + seat + "] was granted before " + queue);
    }
    truth.granted(0, seat, answer);
    truth.releases(0);
    releasedAt = System.nanoTime();
  }

  private final class Waiter implements Door.Asker {

    private final int seat;

    Waiter(int seat) {
      this.seat = seat;
    }

    void ask() {
      door.lock(truth.name(0), seat, PATIENCE_MS, this);
    }

    @Override
    public void onLock(LockResponse answer) {
      if (answer.getQueued()) {
        queued(seat);
      } else if (answer.getAcquired()) {
        granted(seat, answer);
        door.unlock(truth.name(0), seat, answer.getFencingToken(), this);
      } else {
        findings.wrong("a waiter was not granted: " + answer);
        failed("not acquired", this::ask);
      }
    }

    @Override
    public void onUnlock(UnlockResponse answer) {
      if (!answer.getReleased()) {
        findings.wrong("not released: [" + truth.name(0) + "]");
      }
      if (!isOver()) {
        ask();
      }
    }

    @Override
    public void onRefused(String why) {
      failed(why, this::ask);
    }
  }
}
