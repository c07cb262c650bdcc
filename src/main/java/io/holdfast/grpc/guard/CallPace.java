package io.holdfast.grpc.guard;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The pace at which the connections of one address may begin calls while the server is late. The
 * bytes that begin calls are passed on in slices. While the server is late, one slice of an address
 * follows the last one after a pause. The rest stays in the sockets, so an address cannot queue
 * more work in the node than it can have done soon. Safe for use by many threads.
 */
final class CallPace {

  /** The size of a slice in bytes: a few calls. */
  static final int SLICE = 1_024;

  /** The delay of the server from which on it is late. */
  static final Duration LATE = Duration.ofMillis(100);

  /** The pause between two slices of one address. */
  static final Duration PAUSE = Duration.ofMillis(10);

  /** The longest wait of a slice. A connection whose slice would wait longer is refused. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  /** The answer to a slice that would wait too long. */
  static final long TOO_LATE = -1;

  private final AtomicLong nextAt;

  CallPace(long now) {
    nextAt = new AtomicLong(now);
  }

  /**
   * Reserves the turn of the next slice.
   *
   * @param delay of the server, in nanoseconds
   * @param now by the monotonic clock
   * @return the nanoseconds to wait before the slice is passed on, or {@link #TOO_LATE}
   */
  long reserve(long delay, long now) {
    if (delay < LATE.toNanos()) {
      return 0;
    }
    while (true) {
      long at = nextAt.get();
      long turn = at - now > 0 ? at : now;
      if (turn - now > LONGEST_WAIT.toNanos()) {
        return TOO_LATE;
      } else if (nextAt.compareAndSet(at, turn + PAUSE.toNanos())) {
        return turn - now;
      }
    }
  }
}
