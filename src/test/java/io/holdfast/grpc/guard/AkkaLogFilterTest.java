package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.FilterReply;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The rate limit of Akka's log lines. */
class AkkaLogFilterTest {

  private final LoggerContext context = new LoggerContext();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final AkkaLogFilter filter = new AkkaLogFilter(nanos::get);

  @Test
  void akka_errors_are_limited_by_class_and_second() {
    assertEquals(100, passed("akka.io.TcpListener", Level.ERROR, 10_000));
    for (int second = 0; second < 5; second++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      assertEquals(1, passed("akka.io.TcpListener", Level.ERROR, 10_000));
    }
    assertEquals(100, passed("akka.cluster.Cluster", Level.WARN, 10_000), "another class");
  }

  @Test
  void lower_levels_and_our_own_classes_have_no_limit() {
    assertEquals(10_000, passed("akka.io.TcpListener", Level.INFO, 10_000));
    assertEquals(10_000, passed("io.holdfast.grpc", Level.ERROR, 10_000));
    assertEquals(10_000, passed("akkadian", Level.ERROR, 10_000));
  }

  @Test
  void logger_names_are_remembered_up_to_a_limit() {
    long passed = 0;
    for (int i = 0; i < 10_000; i++) {
      passed += passed("akka.name." + i, Level.ERROR, 1);
    }
    assertEquals(1_000 + 100, passed);
  }

  @Test
  void the_filter_is_configured_in_logback() throws Exception {
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(getClass().getResource("/logback.xml"));
    Appender<ILoggingEvent> console = context.getLogger("ROOT").getAppender("console");
    assertEquals(AkkaLogFilter.class, console.getCopyOfAttachedFiltersList().get(0).getClass());
  }

  private int passed(String logger, Level level, int events) {
    int passed = 0;
    for (int i = 0; i < events; i++) {
      LoggingEvent event =
          new LoggingEvent("test", context.getLogger(logger), level, "line", null, null);
      if (filter.decide(event) != FilterReply.DENY) {
        passed++;
      }
    }
    return passed;
  }
}
