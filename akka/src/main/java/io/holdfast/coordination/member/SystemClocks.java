package io.holdfast.coordination.member;

import java.util.concurrent.TimeUnit;

/** The clocks of this machine. */
public final class SystemClocks implements Clocks {

  @Override
  public long monotonicMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public long wallMs() {
    return System.currentTimeMillis();
  }
}
