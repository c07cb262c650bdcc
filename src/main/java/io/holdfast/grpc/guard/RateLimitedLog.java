package io.holdfast.grpc.guard;

import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A log of the faults of clients, limited to ten lines at once and then one a second. */
final class RateLimitedLog {

  private static final int LINES_PER_SECOND = 1;

  private final LongSupplier nanos;
  private final Consumer<String> log;
  private final RateLimit rate;
  private long unsaid;

  RateLimitedLog(LongSupplier nanos, Consumer<String> log) {
    this.nanos = nanos;
    this.log = log;
    this.rate = new RateLimit(LINES_PER_SECOND, nanos.getAsLong());
  }

  void ended(InetSocketAddress remote, String reason) {
    add("ended a connection from %s: %s".formatted(remote, reason));
  }

  synchronized void add(String line) {
    if (rate.isExceeded(nanos.getAsLong())) {
      unsaid++;
      return;
    }
    log.accept(unsaid == 0 ? line : line + " (and " + unsaid + " more before)");
    unsaid = 0;
  }
}
