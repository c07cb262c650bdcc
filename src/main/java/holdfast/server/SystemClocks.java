package holdfast.server;

import holdfast.coordination.Clocks;
import java.util.concurrent.TimeUnit;

/** The clocks of this machine. */
final class SystemClocks implements Clocks {

  @Override
  public long monotonicMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public long wallMs() {
    return System.currentTimeMillis();
  }
}
