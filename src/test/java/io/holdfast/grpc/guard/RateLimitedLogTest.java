package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rate of log lines that clients can cause. */
class RateLimitedLogTest {

  private static final long SECOND = 1_000_000_000;

  private long now = Long.MAX_VALUE - SECOND; // overflows soon
  private final List<String> lines = new ArrayList<>();
  private final RateLimitedLog complaints = new RateLimitedLog(() -> now, lines::add);

  @Test
  void lines_above_the_rate_are_dropped_and_counted() {
    for (int i = 0; i < 1_000; i++) {
      complaints.add("line " + i);
    }
    assertEquals(10, lines.size());
    assertEquals("line 9", lines.get(9));
    now += SECOND;
    complaints.add("later");
    complaints.add("too soon");
    now += SECOND;
    complaints.add("much later");
    assertEquals(
        List.of("later (and 990 more before)", "much later (and 1 more before)"),
        lines.subList(10, lines.size()));
  }

  @Test
  void errors_and_warnings_of_akka_are_rate_limited() {
    RateLimitedAkkaLog log = new RateLimitedAkkaLog(complaints);
    for (int i = 0; i < 100; i++) {
      log.notifyError(new IllegalStateException("on purpose"), "it failed");
      log.notifyWarning("careful");
      log.notifyInfo("by the way");
    }
    assertEquals(10, lines.size());
    assertEquals("it failed: java.lang.IllegalStateException: on purpose", lines.get(0));
  }
}
