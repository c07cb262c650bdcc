package io.holdfast.coordination;

import io.holdfast.coordination.member.Clocks;
import java.util.concurrent.TimeUnit;

/** The clocks of this machine. */
public final class RealClocks implements Clocks {

  @Override
  public long monotonicMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public long wallMs() {
    return System.currentTimeMillis();
  }
}
