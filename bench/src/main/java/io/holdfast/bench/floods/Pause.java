package io.holdfast.bench.floods;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A wait of this thread. */
final class Pause {

  private Pause() {}

  static void of(long ms) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
  }
}
