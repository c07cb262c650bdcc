package io.holdfast.client;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records the events of a client in Micrometer. The application must provide that library; the
 * client does not depend on it at run time.
 *
 * <table>
 *   <caption>The meters</caption>
 *   <tr><td>{@code holdfast.client.acquire}</td><td>timer by {@code outcome}: granted,
 *       not_acquired, failed</td></tr>
 *   <tr><td>{@code holdfast.client.held}</td><td>timer: from a grant to its release</td></tr>
 *   <tr><td>{@code holdfast.client.lost}</td><td>counter by {@code reason}</td></tr>
 *   <tr><td>{@code holdfast.client.streams}</td><td>gauge: open streams to nodes</td></tr>
 *   <tr><td>{@code holdfast.client.disconnected}</td><td>counter: streams that ended</td></tr>
 * </table>
 */
public final class MicrometerEvents implements ClientEvents {

  private final Map<Outcome, Timer> acquired = new EnumMap<>(Outcome.class);
  private final Map<LossReason, Counter> lost = new EnumMap<>(LossReason.class);
  private final Timer held;
  private final Counter disconnected;
  private final AtomicInteger streams = new AtomicInteger();

  /**
   * Registers the meters.
   *
   * @param tags the tags of each meter, for example the name of the client
   */
  public MicrometerEvents(MeterRegistry registry, Tags tags) {
    for (Outcome outcome : Outcome.values()) {
      acquired.put(
          outcome, registry.timer("holdfast.client.acquire", tags.and("outcome", name(outcome))));
    }
    for (LossReason reason : LossReason.values()) {
      lost.put(reason, registry.counter("holdfast.client.lost", tags.and("reason", name(reason))));
    }
    held = registry.timer("holdfast.client.held", tags);
    disconnected = registry.counter("holdfast.client.disconnected", tags);
    registry.gauge("holdfast.client.streams", tags, streams);
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void acquired(Outcome outcome, Duration took) {
    Timer timer = acquired.get(outcome);
    if (timer != null) {
      timer.record(took);
    }
  }

  @Override
  public void released(Duration heldFor) {
    held.record(heldFor);
  }

  @Override
  public void lost(LossReason reason) {
    Counter counter = lost.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void connected(String endpoint) {
    streams.incrementAndGet();
  }

  @Override
  public void disconnected(String endpoint, String why) {
    disconnected.increment();
    streams.updateAndGet(open -> Math.max(0, open - 1));
  }
}
