package holdfast.grpc.guard;

import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** What the log is told of connections that were ended: ten lines at once, then one a second. */
final class Complaints {

  private static final int LINES_PER_SECOND = 1;

  private final LongSupplier nanos;
  private final Consumer<String> log;
  private final Rate rate;
  private long unsaid;

  Complaints(LongSupplier nanos, Consumer<String> log) {
    this.nanos = nanos;
    this.log = log;
    this.rate = new Rate(LINES_PER_SECOND, nanos.getAsLong());
  }

  synchronized void add(InetSocketAddress remote, String reason) {
    if (rate.isExceeded(nanos.getAsLong())) {
      unsaid++;
      return;
    }
    log.accept(
        "ended a connection from %s: %s%s"
            .formatted(remote, reason, unsaid == 0 ? "" : " (and " + unsaid + " more before)"));
    unsaid = 0;
  }
}
