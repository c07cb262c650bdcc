package holdfast.coordination;

import holdfast.lock.FencingToken;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The tokens of a node that stands alone: the number of the node's start, then a counter. Later
 * starts of one data directory have greater numbers, so that tokens rise over restarts without a
 * write for each.
 */
public final class StartTokens implements TokenSource {

  private static final int COUNTER_BITS = 40; // a million a second for twelve days
  public static final long MAX_START = (1L << (Long.SIZE - 1 - COUNTER_BITS)) - 1;

  private final AtomicLong last;
  private final long end;

  /**
   * @param start the number of this start, from 1, never used before with the same data directory
   */
  public StartTokens(long start) {
    if (start < 1 || start > MAX_START) {
      throw new IllegalArgumentException("start [" + start + "] is not in [1, " + MAX_START + "]");
    }
    last = new AtomicLong(start << COUNTER_BITS);
    end = (start + 1) << COUNTER_BITS;
  }

  @Override
  public FencingToken next() {
    long token = last.incrementAndGet();
    if (token - end >= 0) { // also where the last start's end overflows
      throw new IllegalStateException("I2 TokenMonotonic: this start's tokens are used up");
    }
    return new FencingToken(token);
  }
}
