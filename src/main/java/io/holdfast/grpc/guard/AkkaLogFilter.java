package io.holdfast.grpc.guard;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A rate limit on the warnings and errors of each class of Akka: a hundred at once, then one a
 * second. An outsider can cause some of them at any rate, each with a stack trace.
 */
public final class AkkaLogFilter extends Filter<ILoggingEvent> {

  private static final int AT_ONCE = 100;
  private static final int LINES_PER_SECOND = 1;

  /**
   * The maximum of names with their own limit, more than Akka has classes that log. Further names
   * share one limit.
   */
  private static final int MAX_NAMES = 1000;

  private final LongSupplier nanos;
  private final Map<String, RateLimit> rates = new ConcurrentHashMap<>();

  /** Creates the filter of a process. */
  public AkkaLogFilter() {
    this(System::nanoTime);
  }

  AkkaLogFilter(LongSupplier nanos) {
    this.nanos = nanos;
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String name = event.getLoggerName();
    if (!name.startsWith("akka.") || !event.getLevel().isGreaterOrEqual(Level.WARN)) {
      return FilterReply.NEUTRAL;
    }
    long now = nanos.getAsLong();
    RateLimit rate =
        rates.computeIfAbsent(
            rates.size() < MAX_NAMES ? name : "akka.",
            key -> new RateLimit(LINES_PER_SECOND, AT_ONCE, AT_ONCE, now));
    synchronized (rate) {
      return rate.isExceeded(now) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
  }
}
