package io.holdfast.bench.locks;

import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Reason;
import io.holdfast.v1.UnlockResponse;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Workers that each lock a random key and unlock it, again and again. */
final class Cycles extends Load {

  private final Door door;
  private final Truth truth;
  private final LongAdder taken = new LongAdder();

  Cycles(Door door, int workers, Truth truth, Findings findings) {
    super(workers, door::flush, findings);
    this.door = door;
    this.truth = truth;
  }

  @Override
  void begin(int seat) {
    new Worker(seat).next();
  }

  /** The number of times that a key was found locked. */
  long taken() {
    return taken.sum();
  }

  private final class Worker implements Door.Asker {

    private final int seat;
    private int key;
    private long startedAt;

    Worker(int seat) {
      this.seat = seat;
    }

    void next() {
      startedAt = System.nanoTime();
      pick();
    }

    private void pick() {
      key = ThreadLocalRandom.current().nextInt(truth.keys());
      door.lock(truth.name(key), seat, /* timeoutMs= */ 0, this);
    }

    @Override
    public void onLock(LockResponse answer) {
      if (answer.getAcquired()) {
        truth.granted(key, seat, answer);
        truth.releases(key);
        door.unlock(truth.name(key), seat, answer.getFencingToken(), this);
      } else if (answer.getReason() == Reason.REASON_LOCKED) {
        taken.increment();
        pick();
      } else {
        findings.wrong("not acquired, and not since it is locked: " + answer);
        failed("not acquired", this::next);
      }
    }

    @Override
    public void onUnlock(UnlockResponse answer) {
      if (!answer.getReleased()) {
        findings.wrong("not released: [" + truth.name(key) + "]");
      }
      took(System.nanoTime() - startedAt);
      if (!isOver()) {
        next();
      }
    }

    @Override
    public void onRefused(String why) {
      failed(why, this::next);
    }
  }
}
