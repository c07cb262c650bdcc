package io.holdfast.server;

import ch.qos.logback.classic.spi.LogbackServiceProvider;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;

/**
 * Logback without a context for each thread.
 *
 * <p>Akka's persistent actors put five values into that context several times for each event,
 * whether anything is logged or not, which costs more than all else that they do. Our log shows
 * none of them.
 */
public final class PlainLogging extends LogbackServiceProvider {

  private static final String PROVIDER = "slf4j.provider";
  private static final String VERBOSITY = "slf4j.internal.verbosity";

  private final MDCAdapter none = new NOPMDCAdapter();

  /** Has this used, unless the process was told what to use; before anyone asks for a logger. */
  public static void use() {
    if (System.getProperty(PROVIDER) == null) {
      System.setProperty(PROVIDER, PlainLogging.class.getName());
      System.setProperty(VERBOSITY, "WARN"); // or it tells that it was told
    }
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return none;
  }
}
