package io.holdfast.bench.locks;

import io.holdfast.v1.LockResponse;
import io.holdfast.v1.UnlockResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Workers that lock each key once, and hold them all. */
final class Fill extends Load {

  private static final int WORKERS = 256;
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Door door;
  private final Truth truth;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();

  Fill(Door door, Truth truth, Findings findings) {
    super(Math.min(WORKERS, truth.keys()), door::flush, findings);
    this.door = door;
    this.truth = truth;
  }

  @Override
  void begin(int seat) {
    new Worker(seat).next();
  }

  /** Waits until all are held, or no lock has been acquired for a while. */
  void await() {
    int before = -1;
    long since = System.nanoTime();
    while (held.get() < truth.keys()) {
      if (held.get() != before) {
        before = held.get();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > STALLED_NANOS) {
        break;
      }
      pause(20);
    }
    giveUp();
    if (held.get() < truth.keys()) {
      findings.wrong("of [" + truth.keys() + "] locks [" + held.get() + "] are held");
    }
  }

  private final class Worker implements Door.Asker {

    private final int seat;
    private int key;

    Worker(int seat) {
      this.seat = seat;
    }

    void next() {
      key = next.getAndIncrement();
      if (key < truth.keys()) {
        ask();
      }
    }

    private void ask() {
      door.lock(truth.name(key), seat, /* timeoutMs= */ 0, this);
    }

    @Override
    public void onLock(LockResponse answer) {
      if (answer.getAcquired()) {
        truth.granted(key, seat, answer);
        held.incrementAndGet();
        next();
      } else {
        findings.wrong("a free lock was not acquired: " + answer);
      }
    }

    @Override
    public void onUnlock(UnlockResponse answer) {}

    @Override
    public void onRefused(String why) {
      failed(why, this::ask);
    }
  }
}
