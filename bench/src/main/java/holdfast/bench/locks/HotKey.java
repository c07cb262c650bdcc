package holdfast.bench.locks;

import holdfast.v1.LockResponse;
import holdfast.v1.UnlockResponse;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Waiters in line for one key: whoever has it releases it at once, and stands in line again. Times
 * are those of a hand-over: from the request to release to the next one's grant.
 */
final class HotKey extends Load {

  private static final long PATIENCE_MS = 3_600_000;

  private final Truth truth;
  private final Deque<Integer> line = new ArrayDeque<>();
  private long releasedAt;

  HotKey(Door door, int waiters, Truth truth, Findings findings) {
    super(door, waiters, findings);
    this.truth = truth;
  }

  @Override
  void begin(int seat) {
    new Waiter(seat).ask();
  }

  private synchronized void queued(int seat) {
    line.add(seat);
  }

  /** Grants come in the order in which it was told who stands in line. */
  private synchronized void granted(int seat, LockResponse answer) {
    if (answer.getWaited() || answer.getRepeated()) { // nodes ask each other again, also in line
      Integer first = line.poll();
      if (first == null || first != seat) {
        findings.wrong("I6: [" + seat + "] was granted, and [" + first + "] was the first in line");
        line.remove(seat);
      }
      took(System.nanoTime() - releasedAt);
    } else if (!line.isEmpty()) {
      findings.wrong("I6: [" + seat + "] was granted before " + line);
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
