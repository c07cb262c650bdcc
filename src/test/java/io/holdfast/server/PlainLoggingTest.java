package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import ch.qos.logback.classic.LoggerContext;
import org.junit.jupiter.api.Test;
import org.slf4j.spi.MDCAdapter;

class PlainLoggingTest {

  @Test
  void it_is_logback_that_keeps_nothing_for_a_thread() {
    PlainLogging logging = new PlainLogging();
    logging.initialize();
    assertInstanceOf(LoggerContext.class, logging.getLoggerFactory());
    MDCAdapter context = logging.getMDCAdapter();
    context.put("key", "value");
    assertNull(context.get("key"));
  }
}
